import { StartError } from "@trefoil/base";
import {
  type DirectoryLock,
  findDirectoryHolder,
  findFile,
  lockDirectory,
  writePrivateFile,
} from "@trefoil/installation";
import { type RunFile, runFileOf } from "@trefoil/server-process/supervision";
import path from "node:path";
import { isServerName, type ServerName, serverNames } from "../server-names.ts";

/** How a supervisor was started, so that `restart` can do the same. */
export interface SupervisorFile {
  readonly pid: number;
  readonly servers: readonly ServerName[];
  readonly configurationFile?: string | undefined;
  readonly isDetached: boolean;
}

/** `data/run/<server>/`: held by the supervisor that keeps this server alive. */
function supervisedDirectory(dataDirectory: string, server: ServerName): string {
  return path.join(dataDirectory, "run", server);
}

function supervisorFile(dataDirectory: string, server: ServerName): string {
  return path.join(supervisedDirectory(dataDirectory, server), "supervisor.json");
}

/**
 * Makes this process the supervisor of these servers on this data folder. Others may supervise other servers on the
 * same folder.
 *
 * @throws StartError "lock" that names the present supervisor
 */
export async function becomeSupervisor(
  dataDirectory: string,
  content: SupervisorFile,
): Promise<{ release(): Promise<void> }> {
  const locks: DirectoryLock[] = [];
  const release = async (): Promise<void> => {
    for (const lock of locks.splice(0)) {
      await lock.release();
    }
  };
  for (const server of content.servers) {
    const directory = supervisedDirectory(dataDirectory, server);
    try {
      locks.push(await lockDirectory(directory, server));
    } catch (error) {
      await release();
      const holder = await findDirectoryHolder(directory);
      const who = holder?.pid === undefined ? "another process" : `process ${holder.pid}`;
      throw error instanceof StartError && error.code === "lock"
        ? new StartError("lock", `${server} is running already on ${dataDirectory}: its supervisor is ${who}`)
        : error;
    }
    await writePrivateFile(supervisorFile(dataDirectory, server), `${JSON.stringify(content)}\n`);
  }
  return { release };
}

/** The supervisors at work on a data folder, each with what it was started for. */
export async function findSupervisors(dataDirectory: string): Promise<readonly SupervisorFile[]> {
  const found = new Map<number, SupervisorFile>();
  for (const server of serverNames) {
    const holder = await findDirectoryHolder(supervisedDirectory(dataDirectory, server));
    const content = holder === undefined ? undefined : await findFile(supervisorFile(dataDirectory, server));
    if (content !== undefined) {
      const supervisor = JSON.parse(content) as SupervisorFile;
      found.set(supervisor.pid, supervisor);
    }
  }
  return [...found.values()];
}

export type ServerState =
  | { readonly server: ServerName; readonly state: "stopped" }
  /** Supervised, but not ready (again) yet. */
  | { readonly server: ServerName; readonly state: "starting"; readonly supervisorPid: number }
  | {
      readonly server: ServerName;
      readonly state: "running";
      readonly supervisorPid: number | undefined;
      readonly run: RunFile;
    };

/** What is known of a server without asking it: the locks and the files of the processes. */
export async function readServerState(dataDirectory: string, server: ServerName): Promise<ServerState> {
  const supervisors = await findSupervisors(dataDirectory);
  const supervisorPid = supervisors.find(({ servers }) => servers.includes(server))?.pid;
  const run = await readRunFile(dataDirectory, server);
  if (run !== undefined && isAlive(run.pid)) {
    return { server, state: "running", supervisorPid, run };
  }
  return supervisorPid === undefined ? { server, state: "stopped" } : { server, state: "starting", supervisorPid };
}

async function readRunFile(dataDirectory: string, server: ServerName): Promise<RunFile | undefined> {
  const text = await findFile(runFileOf(dataDirectory, server));
  const run = text === undefined ? undefined : (JSON.parse(text) as RunFile);
  return run !== undefined && isServerName(run.server) ? run : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
