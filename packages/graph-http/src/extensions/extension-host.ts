import { StartError } from "@trefoil/base";
import { type FastifyBaseLogger } from "fastify";
import createRouter, { type HTTPMethod } from "find-my-way";
import { pathToFileURL } from "node:url";
import { type DatabaseServices } from "./extension-database.ts";
import { type ExtensionHandler, type ExtensionModule } from "./extension-module.ts";
import { findModules, type FoundModule } from "./find-modules.ts";
import { findJars } from "./jaxrs/find-jars.ts";
import { type JarMount, type JaxrsOptions, JaxrsProcess } from "./jaxrs/jaxrs-process.ts";
import { Registration } from "./registration.ts";

export interface ExtensionHostOptions extends DatabaseServices {
  /** `graph.plugins.directory`; it need not exist. */
  readonly directory: string;
  /** By the properties that end in `thirdparty_jaxrs_classes`. */
  readonly mounts: readonly { readonly packageName: string; readonly mountPath: string }[];
  readonly log: FastifyBaseLogger;
  /** Without it packages in jars cannot be mounted. */
  readonly jaxrs?: JaxrsOptions | undefined;
}

/** A loaded module, or a package in a jar, for showing. */
export interface LoadedExtension {
  readonly packageName: string;
  readonly mounts: readonly string[];
  /** `GET /mount/path`, sorted. */
  readonly routes: readonly string[];
  readonly procedures: readonly string[];
  readonly functions: readonly string[];
}

export type FoundExtension =
  | {
      readonly kind: "handler";
      readonly handler: ExtensionHandler;
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path is served, but not for this method. */
  | { readonly kind: "other methods"; readonly allow: readonly string[] }
  /** The path lies below a mounted package of a jar, whose host answers. */
  | { readonly kind: "jar"; readonly host: JaxrsProcess; readonly databaseUrl: string | undefined };

/** Whether something else is served at a path. */
export type IsServed = (method: string, path: string) => boolean;

type Router = ReturnType<typeof createRouter>;

interface Loaded {
  readonly registrations: readonly Registration[];
  readonly router: Router;
  readonly list: readonly LoadedExtension[];
  readonly jars: JaxrsProcess | undefined;
}

const NOTHING: Loaded = { registrations: [], router: createRouter(), list: [], jars: undefined };

/** The extension modules of the plugins directory (design §6, rulings Graph 18). */
export class ExtensionHost {
  readonly #options: ExtensionHostOptions;
  #isServed: IsServed = () => false;
  #loaded: Loaded = NOTHING;
  #generation = 0;

  constructor(options: ExtensionHostOptions) {
    this.#options = options;
  }

  /** To be called once, before {@link load}: paths that modules may not take. */
  serveBeside(isServed: IsServed): void {
    this.#isServed = isServed;
  }

  /**
   * Loads every module anew, in place of those loaded before; when one fails, those stay.
   *
   * @throws StartError "configuration"  naming the module and what is wrong with it
   */
  async load(): Promise<void> {
    const { directory, mounts, log } = this.#options;
    this.#generation += 1;
    const found = await findModules(directory);
    const inJars = mounts.filter(({ packageName }) => !found.some((each) => each.packageName === packageName));
    const jars = await this.#startJars(inJars);
    try {
      await this.#loadModules(found, mounts, jars);
    } catch (error) {
      jars?.stop();
      throw error;
    }
    for (const { packageName, mounts: paths } of this.#loaded.list) {
      paths.forEach((path) => log.info(`Mounted unmanaged extension [${packageName}] at [${path}]`));
    }
  }

  /** Ends what runs beside this process. */
  close(): void {
    this.#loaded.jars?.stop();
  }

  async #loadModules(
    found: readonly FoundModule[],
    mounts: ExtensionHostOptions["mounts"],
    jars: JaxrsProcess | undefined,
  ): Promise<void> {
    const loaded: { registration: Registration; mounts: readonly string[] }[] = [];
    for (const each of found) {
      const own = mounts.filter(({ packageName }) => packageName === each.packageName);
      const paths = own.length === 0 ? [`/ext-js/${each.packageName}`] : own.map(({ mountPath }) => mountPath);
      loaded.push({ registration: await this.#register(each), mounts: paths });
    }
    const next: Loaded = {
      registrations: loaded.map(({ registration }) => registration),
      router: this.#route(loaded),
      list: [
        ...loaded.map(({ registration, mounts: paths }) => describe(registration, paths)),
        ...(jars?.mounts ?? []).map(describeJar),
      ],
      jars,
    };
    this.#exchange(next);
  }

  /** What is mounted and no module is in the jars, or nowhere. */
  async #startJars(mounts: readonly JarMount[]): Promise<JaxrsProcess | undefined> {
    const [first] = mounts;
    if (first === undefined) {
      return undefined;
    }
    const { directory, jaxrs, log } = this.#options;
    const jars = await findJars(directory);
    if (jars.length === 0 || jaxrs === undefined) {
      throw new StartError(
        "configuration",
        `the package ${first.packageName} for ${first.mountPath} does not contain any root resource classes: ` +
          `there is neither ${first.packageName}.mjs, nor a folder with that package.json name, nor a jar in ${directory}`,
      );
    }
    const taken = mounts.find(
      ({ mountPath }) => this.#isServed("GET", mountPath) || this.#isServed("GET", `${mountPath}/x`),
    );
    if (taken !== undefined) {
      throw failed(taken.packageName, new Error(`${taken.mountPath} is served already`));
    }
    return await JaxrsProcess.start(jaxrs, jars, mounts, log);
  }

  list(): readonly LoadedExtension[] {
    return this.#loaded.list;
  }

  find(method: string, path: string): FoundExtension | undefined {
    const { router } = this.#loaded;
    const found = router.find((method === "HEAD" ? "GET" : method) as HTTPMethod, path);
    if (found !== null) {
      const parameters = found.params as Readonly<Record<string, string>>;
      return { kind: "handler", handler: found.store as ExtensionHandler, parameters };
    }
    const { jars } = this.#loaded;
    if (jars?.mounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`)) === true) {
      return { kind: "jar", host: jars, databaseUrl: this.#options.jaxrs?.databaseUrl() };
    }
    const allow = METHODS.filter((other) => router.find(other, path) !== null);
    const withHead = allow.includes("GET") ? [...allow, "HEAD"] : allow;
    return allow.length === 0 ? undefined : { kind: "other methods", allow: [...withHead, "OPTIONS"] };
  }

  async #register({ packageName, file }: FoundModule): Promise<Registration> {
    const { engine, log } = this.#options;
    const registration = new Registration(packageName, engine);
    try {
      // Another address each time, so that Node reads the file again.
      const address = `${pathToFileURL(file).href}?generation=${this.#generation}`;
      const module = (await import(/* @vite-ignore */ address)) as Partial<ExtensionModule>;
      if (typeof module.register !== "function") {
        throw new TypeError("it exports no function `register`");
      }
      await module.register(registration.contextFor(this.#options, log.child({ extension: packageName })));
    } catch (error) {
      throw failed(packageName, error);
    }
    return registration;
  }

  #route(loaded: readonly { readonly registration: Registration; readonly mounts: readonly string[] }[]): Router {
    const router = createRouter({ ignoreTrailingSlash: true, maxParamLength: 20_480 });
    for (const { registration, mounts } of loaded) {
      for (const mount of mounts) {
        for (const { method, path, handler } of registration.routes) {
          const whole = joined(mount, path);
          const { template, sample } = templateOf(whole, registration.packageName);
          if (this.#isServed(method, sample) || router.find(method, sample) !== null) {
            throw failed(registration.packageName, new Error(`${method} ${whole} is served already`));
          }
          router.on(method, template, () => undefined, handler);
        }
      }
    }
    return router;
  }

  /** The new ones take over from the old ones, or else the old ones stay. */
  #exchange(next: Loaded): void {
    const previous = this.#loaded;
    previous.registrations.forEach((registration) => registration.end());
    for (const registration of next.registrations) {
      try {
        registration.activate();
      } catch (error) {
        next.registrations.forEach((each) => each.end());
        previous.registrations.forEach((each) => each.activate());
        throw failed(registration.packageName, error);
      }
    }
    this.#loaded = next;
    previous.jars?.stop();
  }
}

const METHODS = ["GET", "PUT", "POST", "DELETE"] as const;

function failed(packageName: string, error: unknown): StartError {
  const message = error instanceof Error ? error.message : String(error);
  return new StartError("configuration", `the extension ${packageName} cannot be loaded: ${message}`, { cause: error });
}

function joined(mount: string, path: string): string {
  return `/${[mount, path]
    .flatMap((part) => part.split("/"))
    .filter((segment) => segment !== "")
    .join("/")}`;
}

/** `/greet/{name}` as the router writes it, and a path that it matches. */
function templateOf(path: string, packageName: string): { readonly template: string; readonly sample: string } {
  const segments = path.split("/").map((segment) => {
    const parameter = /^\{\s*([A-Za-z_]\w*)\s*\}$/.exec(segment)?.[1];
    if (parameter === undefined && /[{}*]/.test(segment)) {
      throw failed(packageName, new Error(`in the path ${path} a parameter must be a whole segment: {name}`));
    }
    return parameter === undefined
      ? { template: segment.replaceAll(":", "::"), sample: segment }
      : { template: `:${parameter}`, sample: "x" };
  });
  return {
    template: segments.map(({ template }) => template).join("/"),
    sample: segments.map(({ sample }) => sample).join("/"),
  };
}

function describeJar({ packageName, mountPath }: JarMount): LoadedExtension {
  return { packageName, mounts: [mountPath], routes: [`* ${mountPath}/…`], procedures: [], functions: [] };
}

function describe(registration: Registration, mounts: readonly string[]): LoadedExtension {
  const { packageName, routes, procedureNames, functionNames } = registration;
  return {
    packageName,
    mounts,
    routes: mounts.flatMap((mount) => routes.map(({ method, path }) => `${method} ${joined(mount, path)}`)).sort(),
    procedures: procedureNames,
    functions: functionNames,
  };
}
