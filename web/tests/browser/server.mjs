/** A `boyi serve` of its own, with a store of its own, that can be killed and started again. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The program under test: BOYI, or what cargo built. */
export function program() {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  const candidates = [process.env.BOYI, join(target, 'release/boyi'), join(target, 'debug/boyi')].filter(Boolean);
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error(`there is no boyi to test; build it or set BOYI (looked at ${candidates.join(', ')})`);
  return found;
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

export class Server {
  /** With a judge only where one is wanted: it needs a sandbox and compilers. */
  static async start({ judge = false } = {}) {
    const server = new Server();
    server.judge = judge;
    server.data = mkdtempSync(join(tmpdir(), 'boyi-web-'));
    server.port = await freePort();
    server.base = `http://127.0.0.1:${server.port}`;
    await server.run();
    return server;
  }

  async run() {
    this.log = '';
    // The tests come from one address and are faster than people.
    const generous = ['--requests-per-second', '2000', '--changes-per-second', '500', '--rooms-per-minute', '1000', '--pace-ms', '150'];
    const engine = ['--engine', `<i>Ada</i>=gomoku=${program()} engine gomoku --level greedy`];
    this.process = spawn(program(), ['serve', '--listen', `127.0.0.1:${this.port}`, '--data', this.data, ...generous, ...engine, '--judge', this.judge ? 'auto' : 'none'], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on('data', (data) => (this.log = (this.log + data).slice(-20_000)));
    }
    this.ended = new Promise((resolve) => this.process.on('exit', resolve));
    for (let tries = 0; tries < 200; tries++) {
      if (this.process.exitCode !== null) throw new Error(`boyi serve ended:\n${this.log}`);
      try {
        if ((await fetch(`${this.base}/healthz`)).ok) return;
      } catch {
        // Not up yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`boyi serve did not come up:\n${this.log}`);
  }

  /** The code of the first admin, which the server says once. */
  async adminCode() {
    for (let tries = 0; tries < 200; tries++) {
      const code = /&code=([^\s&]+)/.exec(this.log)?.[1];
      if (code) return code;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the server told no code:\n${this.log}`);
  }

  /** Ends it the hard way, as a power cut would. */
  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    this.process.kill('SIGTERM');
    const late = setTimeout(() => this.process.kill('SIGKILL'), 8000);
    await this.ended;
    clearTimeout(late);
    rmSync(this.data, { recursive: true, force: true });
  }

  async get(path) {
    const answer = await fetch(this.base + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }
}
