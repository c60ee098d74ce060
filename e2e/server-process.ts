/** The headless server as a process of its own, started the way a packaged one is: the built bundle under plain Node. */
import { type ChildProcess, spawn } from 'node:child_process';
import { headlessEntry } from '../build/ensure.mjs';

const START_LIMIT_MS = 30_000;

export class ServerProcess {
  readonly dataDir: string;
  #child: ChildProcess | undefined;
  #output = '';
  #url = '';
  #exited: Promise<number | null> = Promise.resolve(0);

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** Starts a server on a free port (or on `port`) and waits until it says that it accepts requests. */
  static async start(dataDir: string, port = 0): Promise<ServerProcess> {
    const server = new ServerProcess(dataDir);
    await server.#start(port);
    return server;
  }

  /** `https://127.0.0.1:PORT`, without a slash at the end. */
  get url(): string {
    return this.#url;
  }
  get pid(): number {
    return this.#child?.pid ?? 0;
  }
  /** Exit code of the process; a signal counts as null. */
  get exited(): Promise<number | null> {
    return this.#exited;
  }
  /** Everything it has printed since the first start. */
  output(): string {
    return this.#output;
  }

  /** Sends a signal and waits for the end; answers the exit code, null when the signal itself ended it. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    this.#child?.kill(signal);
    return await this.#exited;
  }

  /** Starts again on the same directory and port: pages and clients go on where they were. Ends a running one first. */
  async restart(): Promise<void> {
    await this.kill('SIGTERM');
    await this.#start(Number(new URL(this.#url).port));
  }

  async #start(port: number): Promise<void> {
    const args = [headlessEntry, 'serve', '--data', this.dataDir, '--port', String(port)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    let printed = '';
    let timer: NodeJS.Timeout | undefined;
    try {
      this.#url = await new Promise<string>((resolve, reject) => {
        const tell = (why: string): void => reject(new Error(`the server ${why}\n${printed}`));
        const listen = (chunk: unknown): void => {
          printed += String(chunk);
          this.#output += String(chunk);
          const url = /https:\/\/[^\s/]+(?=[\s/])/.exec(printed)?.[0];
          if (url !== undefined) resolve(url);
        };
        child.stdout?.on('data', listen);
        child.stderr?.on('data', (chunk) => {
          printed += String(chunk);
          this.#output += String(chunk);
        });
        child.once('exit', (code, signal) => tell(`ended with ${signal ?? code} before it was ready`));
        timer = setTimeout(() => tell(`was not ready after ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
      });
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
