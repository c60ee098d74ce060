/** Proviso as a child process for `bench -- api`, with 10,000 machines. Reports its longest main-thread pauses when asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startServer } from '../../src-main/assemble.ts';

const [dataDir = '.', storage = 'sqlite'] = process.argv.slice(2);
const server = await startServer({ dataDir, port: 0, mode: 'headless', storage: storage as 'sqlite' | 'memory' });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message: { pauses?: true; stop?: true }) => {
  if (message.pauses) {
    process.send?.({ p999: delay.percentile(99.9) / 1e6, max: delay.max / 1e6 });
    delay.reset();
  }
  if (message.stop) void server.stop().then(() => process.exit(0));
});
process.send?.({ url: server.url });
