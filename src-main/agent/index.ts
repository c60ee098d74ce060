/**
 * The runner: a plain client of the API that takes one machine through its tasks, for labs and tests.
 *
 *   agent          the loop: wait until the machine may run, ask for a job, run it
 *   task-run       one job: actions, directory, scripts, log, final state      script   one script
 *   exit-codes     what an exit code asks for      log-stream   output in pieces
 *   api-client     requests, patient while the server restarts      machine-watch   events, and reads where they fail
 *   records        the fields of answers that it reads
 */
export { type AgentEnd, type AgentEvent, runAgent } from './agent.ts';
