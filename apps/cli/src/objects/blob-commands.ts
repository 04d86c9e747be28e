import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import { collect } from "./account.ts";
import { BlobAccess, BlobFailure } from "./blob-access.ts";
import { parseBlobAddress, pathOf } from "./blob-address.ts";
import { contentTypeOf } from "./content-types.ts";
import { download, downloadToFile } from "./download-blob.ts";
import { listBlobs, listContainers } from "./list-blobs.ts";
import { uploadFile, uploadStream } from "./upload-blob.ts";

interface AccountOption {
  readonly account?: string;
}

interface PutOptions extends AccountOption {
  readonly contentType?: string;
  readonly metadata: readonly string[];
  readonly overwrite: boolean;
  readonly createContainer?: boolean;
}

interface GetOptions extends AccountOption {
  readonly force?: boolean;
}

interface ListCommandOptions extends AccountOption {
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly limit: number;
}

interface CopyOptions extends AccountOption {
  readonly fromAccount?: string;
}

interface DeleteOptions extends AccountOption {
  readonly snapshots?: string;
}

/** `blob put|get|list|copy|delete` */
export function addBlobCommands(program: Command, context: CommandContext): void {
  const blob = program.command("blob").description("blobs of a storage account");
  addPut(blob, context);
  addGet(blob, context);
  addList(blob, context);
  addCopy(blob, context);
  addDelete(blob, context);
}

function addPut(blob: Command, context: CommandContext): void {
  withAccount(blob.command("put"))
    .description("upload a file; large ones go in blocks, several at once")
    .argument("<file>", "the file, - for standard input")
    .argument("<blob>", "container/name; a name that ends in / gets the file's name behind it")
    .option("--content-type <type>", "default: by the file's ending")
    .option("--metadata <name=value>", "may be given several times", collect, [])
    .option("--no-overwrite", "fail when the blob is there already")
    .option("--create-container", "make the container when it isn't there")
    .addHelpText("after", "\nExample:\n  trefoil blob put holiday.jpg album/2026/ --create-container\n")
    .action(async (file: string, target: string, options: PutOptions) => {
      const address = parseBlobAddress(target.endsWith("/") ? target + path.basename(file) : target);
      const access = await BlobAccess.open(context, options.account);
      if (options.createContainer === true) {
        await ensureContainer(access, address.container);
      }
      const total = file === "-" ? 0 : (await statOf(file, context)).size;
      const bar = context.progressBar({ label: "upload", total, unit: "bytes" });
      const headers = {
        "x-ms-blob-content-type": options.contentType ?? contentTypeOf(address.name),
        "if-none-match": options.overwrite ? undefined : "*",
        ...readMetadata(options.metadata),
      };
      const upload = { headers, onProgress: (bytes: number) => bar.update(bytes, total === 0 ? bytes : total) };
      try {
        const uploaded =
          file === "-"
            ? await uploadStream(access, address, process.stdin, upload)
            : await uploadFile(access, address, file, upload);
        bar.stop();
        const name = `${address.container}/${address.name}`;
        report(context, { blob: name, ...uploaded }, `${name} uploaded, ${inBytes(uploaded)}.`);
      } finally {
        bar.stop();
        access.close();
      }
    });
}

function addGet(blob: Command, context: CommandContext): void {
  withAccount(blob.command("get"))
    .description("download a blob; its checksum is compared")
    .argument("<blob>", "container/name")
    .argument("[file]", "where to; - for standard output; default: the name's last part in this folder")
    .option("--force", "write over a file that is there")
    .action(async (source: string, file: string | undefined, options: GetOptions) => {
      const address = parseBlobAddress(source);
      const target = file ?? path.basename(address.name);
      if (target !== "-" && options.force !== true && existsSync(target)) {
        context.fail(`${target} is there already; --force writes over it`);
      }
      const access = await BlobAccess.open(context, options.account);
      const bar = context.progressBar({ label: "download", total: 1, unit: "bytes" });
      const onProgress = (bytes: number, total: number): void => bar.update(bytes, total);
      try {
        const answer = await access.send({ method: "GET", path: pathOf(address) });
        if (target === "-") {
          await download(answer, process.stdout, { onProgress });
          return;
        }
        const downloaded = await downloadToFile(answer, target, { onProgress });
        bar.stop();
        report(context, { blob: source, file: target, ...downloaded }, `${target} written, ${inBytes(downloaded)}.`);
      } finally {
        bar.stop();
        access.close();
      }
    });
}

function addList(blob: Command, context: CommandContext): void {
  withAccount(blob.command("list"))
    .description("the blobs of a container, or the containers of the account")
    .argument("[container]", "default: list the containers")
    .option("--prefix <text>", "only names that begin with it")
    .option("--delimiter <text>", "show what lies behind it as one entry, as folders do: /")
    .option("--limit <count>", "at most so many", readCount, Number.POSITIVE_INFINITY)
    .action(async (container: string | undefined, { account, ...options }: ListCommandOptions) => {
      const access = await BlobAccess.open(context, account);
      try {
        if (container === undefined) {
          context.printTable(await listContainers(access), ["name", "modified"]);
        } else {
          context.printTable(await listBlobs(access, container, options), ["name", "bytes", "modified", "type"]);
        }
      } finally {
        access.close();
      }
    });
}

function addCopy(blob: Command, context: CommandContext): void {
  withAccount(blob.command("copy"))
    .description("copy a blob inside the server; its bytes are shared, not doubled")
    .argument("<source>", "container/name")
    .argument("<target>", "container/name")
    .option("--from-account <name>", "the source's account, when it is another one")
    .action(async (source: string, target: string, options: CopyOptions) => {
      const from = parseBlobAddress(source);
      const to = parseBlobAddress(target);
      const access = await BlobAccess.open(context, options.account);
      const reading = options.fromAccount === undefined ? access : await BlobAccess.open(context, options.fromAccount);
      try {
        const { answer } = await access.read({
          method: "PUT",
          path: pathOf(to),
          headers: { "x-ms-copy-source": await reading.sourceUrl(pathOf(from)) },
        });
        const status = answer.headers["x-ms-copy-status"];
        report(context, { source, target, status, etag: answer.headers.etag }, `${source} copied to ${target}.`);
      } finally {
        access.close();
        reading.close();
      }
    });
}

function addDelete(blob: Command, context: CommandContext): void {
  withAccount(blob.command("delete"))
    .description("remove a blob")
    .argument("<blob>", "container/name")
    .addOption(
      new Option("--snapshots <which>", "remove its snapshots too, or nothing but them").choices(["include", "only"]),
    )
    .action(async (target: string, { account, snapshots }: DeleteOptions) => {
      const access = await BlobAccess.open(context, account);
      try {
        const headers = { "x-ms-delete-snapshots": snapshots };
        await access.read({ method: "DELETE", path: pathOf(parseBlobAddress(target)), headers });
        report(context, { blob: target }, `${target} deleted.`);
      } finally {
        access.close();
      }
    });
}

function withAccount(command: Command): Command {
  return command.option("--account <name>", "the storage account; default: the only one there is");
}

async function ensureContainer(access: BlobAccess, container: string): Promise<void> {
  try {
    await access.read({ method: "PUT", path: pathOf({ container }), query: { restype: "container" } });
  } catch (error) {
    if (!(error instanceof BlobFailure && error.code === "ContainerAlreadyExists")) {
      throw error;
    }
  }
}

async function statOf(file: string, context: CommandContext): Promise<{ readonly size: number }> {
  const found = await stat(file).catch((error: unknown) =>
    context.fail(`the file cannot be read: ${(error as Error).message}`),
  );
  return found.isFile() ? found : context.fail(`${file} is no file`);
}

function readMetadata(entries: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.map((entry) => {
      const equals = entry.indexOf("=");
      if (equals <= 0) {
        throw new InvalidArgumentError(`"${entry}" is no metadata: write name=value`);
      }
      return [`x-ms-meta-${entry.slice(0, equals)}`, entry.slice(equals + 1)];
    }),
  );
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw new InvalidArgumentError("a number above zero");
  }
  return count;
}

function report(context: CommandContext, result: object, sentence: string): void {
  if (context.wantsJson) {
    context.printJson(result);
  } else {
    context.print(sentence);
  }
}

function inBytes({ bytes }: { readonly bytes: number }): string {
  return `${bytes.toLocaleString("en")} bytes`;
}
