import { describe, expect, test } from "vitest";
import { Query } from "../request/query.ts";
import { AccountKey } from "../shared-key/account-key.ts";
import { testAccount, testKey } from "../testing/start-test-service.ts";
import { readSasParameters, type SasParameters } from "./sas-parameters.ts";
import { accountStringToSign, serviceStringToSign, userDelegationStringToSign } from "./string-to-sign.ts";

const key = new AccountKey(testKey);

function sas(parameters: Readonly<Record<string, string>>): SasParameters {
  return readSasParameters(new Query(new URLSearchParams({ ...parameters, sig: "x" }).toString()))!;
}

/** storage §3.8 */
describe("test vectors", () => {
  const se = "2026-11-21T00:00:00Z";
  const blob = { account: testAccount, container: "c", blob: "hello.txt" };

  test.each([
    ["2015-04-05", "rR/zoEU1aLZTAhbRpEfDZYW3lGTzcpAJ+mZ1dninkzk="],
    ["2018-11-09", "XyI5PXnlJsJv+N6aRIuUFdNHvls2lxXv/yP9kl/WV9k="],
    ["2020-12-06", "YMCxP5gkiwPE4MMljXdpcEf+s3qMkd4XMm7gFO03fyk="],
    ["2026-04-06", "7O9q8YEjhvmKPRCQYLcxF/RDVv/MM7AHFpSq811nkm4="],
  ])("a service signature of a blob, version %s", (sv, signature) => {
    const text = serviceStringToSign(sas({ sp: "r", se, sv, sr: "b" }), blob);
    expect(key.sign(text).toBase64()).toBe(signature);
  });

  test("a service signature of a container", () => {
    const parameters = sas({ sp: "racwdl", se, sv: "2020-12-06", sr: "c" });
    const text = serviceStringToSign(parameters, { account: testAccount, container: "c" });
    expect(key.sign(text).toBase64()).toBe("jWJ7vs1PONRVMElno7ywomz4vGgcXSQgbOaRPgOHelk=");
  });

  test.each([
    ["2015-04-05", "e5o/5UMR3erVB/TF+ggD0QUpOLF/036rynCwulsaKrM="],
    ["2020-12-06", "wbyrtli3rci/KMLbIDKHnEuMGf3MJ3Fc4pWxp0fH7fE="],
  ])("an account signature, version %s", (sv, signature) => {
    const text = accountStringToSign(sas({ sp: "rl", ss: "b", srt: "sco", se, sv }), testAccount);
    expect(key.sign(text).toBase64()).toBe(signature);
  });

  test.each([
    ["2018-11-09", "4sWeuQ2m5qYe5rhS9/HQwgVs6vE4Dlu3+/ZJ5A7Ng4M="],
    ["2020-02-10", "LdSdDs7V+Ngu7Qcv9EQrGRqFu5UeSd1haxUMdtBqAc4="],
    ["2020-12-06", "Gt0xdu054e5Lz/oG1szzPhI73F3BwcC/YvMsR700/Lk="],
    ["2025-07-05", "BNE5Y+sJTfD+6id28NUBzaYPRci6/RQjwSVs6iXh/i8="],
    ["2026-04-06", "Fx2qhVykhCwRtBJQ5jl87vhpqnhXUhJRDi4M9Z/isyg="],
  ])("a user delegation signature, version %s", (sv, signature) => {
    const delegationKey = new AccountKey(Buffer.from("0123456789abcdef0123456789abcdef").toString("base64"));
    const parameters = sas({
      sp: "r",
      se,
      sv,
      sr: "b",
      skoid: "00000000-0000-0000-0000-000000000001",
      sktid: "00000000-0000-0000-0000-000000000002",
      skt: "2026-11-20T00:00:00Z",
      ske: "2026-11-22T00:00:00Z",
      sks: "b",
      skv: "2020-12-06",
    });
    expect(delegationKey.sign(userDelegationStringToSign(parameters, blob)).toBase64()).toBe(signature);
  });
});
