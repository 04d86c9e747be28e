import { AccountKey } from "../shared-key/account-key.ts";

/**
 * The account that every client of this kind of storage knows by heart: `UseDevelopmentStorage=true` means it, at
 * 127.0.0.1:10000. Its key is public, so it is served to this machine only and only by a setting (decisions/0085).
 */
export const DEVELOPMENT_ACCOUNT = "devstoreaccount1";

const KEY = new AccountKey("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");

/**
 * The keys that the development account answers to. What is stored are keys like any other account's: switched off
 * again, the account opens by those alone.
 */
export function developmentKeys(stored: readonly [AccountKey, AccountKey]): readonly [AccountKey, AccountKey] {
  return stored.some((key) => key.reveal() === KEY.reveal()) ? stored : [KEY, stored[0]];
}
