/**
 * One delivery from its first attempt to its end: draft, record, send, record, and again. The order is what makes it safe:
 * an attempt is on disk before its request goes out, and its outcome is on disk before anybody is told.
 */

import type { Delivery } from '../contract/deliveries.ts';
import type { Json } from '../kit/json.ts';
import { StoreError } from '../store/index.ts';
import { decodeAnswer } from './answer.ts';
import { type AttemptDone, notSent, runAttempt } from './attempt.ts';
import type { AuthMethods } from './auth/methods.ts';
import { type Breakers, type Destination, healthOf } from './breaker.ts';
import { timeText } from './clock.ts';
import type { ConfigBook } from './config-book.ts';
import { draftAttempt } from './drafting.ts';
import type { BreakerConfig } from './extras.ts';
import type { HttpContext } from './http/send.ts';
import { createMasker } from './mask.ts';
import type { Meters } from './metrics.ts';
import { type Decision, decide, type Failure, fitting, NO_PROGRESS, type Progress } from './outcome.ts';
import type { CallbackPorts } from './ports.ts';
import type { Recorder } from './recorder.ts';
import { type AttemptReport, attemptEnded, attemptStarted, ended, held, waitsAgain } from './records.ts';
import type { Draft } from './request.ts';
import { configChange, readSetup, type Setup, type SetupReading } from './setup.ts';
import { pause, Stop, Stopped, type StopReason } from './stop.ts';

export interface DeliverDeps {
  readonly ports: CallbackPorts;
  readonly book: ConfigBook;
  readonly http: HttpContext;
  readonly auth: AuthMethods;
  readonly breakers: Breakers;
  readonly recorder: Recorder;
  readonly meters: Meters;
}

interface DeliverMode {
  /** Who waits for the answer: a caller, who gets all of it or an error soon; or nobody, then obstacles are waited out. */
  readonly kind: 'action' | 'event';
  /** Called before everything that is waited for. */
  readonly pausing: () => void;
  /** Resolves when there is a place to go on. Rejects with Stopped. */
  readonly resume: () => Promise<void>;
  /** The outcome is decided and about to be written. */
  readonly concluded: () => void;
  /** A place among the requests under way, at once or later; call what it answers to leave it. Throws Stopped. */
  readonly enter: (stop: Stop) => (() => void) | Promise<() => void>;
}

export type Delivered =
  | { readonly kind: 'ok'; readonly row: Delivery; readonly answer: Json }
  | { readonly kind: 'failed'; readonly row: Delivery; readonly failure: Failure }
  | { readonly kind: 'cancelled'; readonly row: Delivery }
  /** The service stops; the record says where to go on. */
  | { readonly kind: 'shutdown'; readonly row: Delivery };

type Again = Extract<Decision, { kind: 'again' }>;

/** Time passed: whatever was read before may be different by now. */
interface Anew {
  readonly kind: 'anew';
}

const NO_SECRETS = createMasker([]);

/** Of an answer that nobody waits for. */
const BEGINNING_BYTES = 16 * 1024;

export class Run {
  readonly stop = new Stop();
  readonly #deps: DeliverDeps;
  readonly #mode: DeliverMode;
  /** Milliseconds of Timeout that earlier lives of the process used up. */
  readonly #usedBefore: number;
  #row: Delivery;
  /** `#row` is what the store has. */
  #isRecorded: boolean;
  #progress: Progress;
  #rejectedToken = '';
  #masker = NO_SECRETS;
  /** Where the circuit breaker told this run, and nobody else, to try. */
  #chance: Destination | undefined;
  /** Of the monotonic clock; undefined until the first attempt begins. */
  #startedAt: number | undefined;
  #timeoutSeconds = 0;
  #disarm: () => void = () => undefined;

  constructor(deps: DeliverDeps, row: Delivery, mode: DeliverMode) {
    this.#deps = deps;
    this.#row = row;
    this.#isRecorded = mode.kind === 'event';
    this.#mode = mode;
    this.#usedBefore = row.Elapsed;
    this.#progress = { ...NO_PROGRESS, retries: row.Retries };
  }

  /** As it is now; the record on disk may be older while an attempt is under way. */
  get row(): Delivery {
    return this.#row;
  }

  /** Rejects with StoreError only, when the store refuses the record of an attempt: that attempt was not sent. */
  async deliver(): Promise<Delivered> {
    try {
      for (;;) {
        const reading = await this.#setup();
        if (!reading.ok) return await this.#fail({ code: 400, messages: [reading.problem] });
        this.#masker = reading.setup.plugin.masker;
        const step = await this.#attempt(reading.setup);
        if (step.kind === 'anew') continue;
        if (step.kind !== 'again') return step;
        if (step.waitMs > 0) await this.#wait(step.waitMs);
      }
    } catch (error) {
      if (error instanceof Stopped) return await this.#stopped(error.reason);
      if (error instanceof StoreError) throw error;
      return await this.#broken(error);
    } finally {
      this.#disarm();
      this.#passOnChance();
    }
  }

  async #setup(): Promise<SetupReading> {
    for (;;) {
      const reading = readSetup(this.#deps.book, this.#row.Plugin, this.#row.Action);
      if (reading.ok || !reading.passing || this.#mode.kind === 'action') return reading;
      await this.#hold(reading.problem, () => configChange(this.#deps.book, this.stop));
    }
  }

  async #attempt(setup: Setup): Promise<Delivered | Again | Anew> {
    this.#progress = fitting(this.#progress, setup.methods);
    // Nobody waits for an event before its turn has come: its Timeout begins when it may be sent.
    if (this.#mode.kind === 'action') this.#arm(setup.callback.timeoutSeconds);
    // A program that makes a token runs for this event alone, so that the time it takes counts.
    const waiting = (): void => this.#arm(setup.callback.timeoutSeconds);
    const drafted = draftAttempt(this.#row, setup, this.#deps, this.stop, waiting);
    const draft = drafted instanceof Promise ? await drafted : drafted;
    if ('kind' in draft) {
      this.#row = attemptStarted(this.#row, this.#time());
      const report = { State: 'failed', Auth: '', Status: 0, Error: draft.message } as const;
      return this.#conclude(setup, { result: draft, report, token: '', answer: undefined });
    }
    const { breaker } = setup.plugin.config.extras;
    const destination = { plugin: setup.plugin.name, origin: draft.target.origin };
    const passes = !breaker || this.#deps.breakers.tryPass(destination, breaker);
    this.#passOnChance();
    if (!breaker) return this.#conclude(setup, await this.#send(setup, draft));
    if (passes) return this.#conclude(setup, await this.#probe(setup, draft, destination, breaker));
    const reason = `the circuit breaker of ${destination.origin} is open`;
    if (this.#mode.kind === 'action') return this.#fail({ code: 400, messages: [reason] });
    await this.#hold(reason, () => this.#untilChance(destination));
    return { kind: 'anew' };
  }

  /** Resolves when the circuit breaker may let this one through, and when the configuration changes: that may end the wait. */
  async #untilChance(destination: Destination): Promise<void> {
    const { book, breakers } = this.#deps;
    const own = new Stop();
    const off = this.stop.on((reason) => own.trigger(reason));
    const unhear = book.onChange(() => own.trigger('unwanted'));
    try {
      await breakers.chance(destination, own);
      this.#chance = destination;
    } catch (error) {
      if (!(error instanceof Stopped) || error.reason !== 'unwanted') throw error;
    } finally {
      off();
      unhear();
    }
  }

  /** Who was told to try and came to something else leaves it to the next. */
  #passOnChance(): void {
    if (this.#chance) this.#deps.breakers.passOn(this.#chance);
    this.#chance = undefined;
  }

  /** Sends, and tells the circuit breaker what came of it. */
  async #probe(setup: Setup, draft: Draft, destination: Destination, breaker: BreakerConfig): Promise<AttemptDone> {
    const { breakers } = this.#deps;
    let health: boolean | undefined;
    try {
      const done = await this.#send(setup, draft);
      health = healthOf(done.result);
      return done;
    } finally {
      if (health === undefined) breakers.abandon(destination, breaker);
      else breakers.report(destination, breaker, health);
    }
  }

  /** Records the attempt, waits for a place, and sends. */
  async #send(setup: Setup, draft: Draft): Promise<AttemptDone> {
    const { recorder } = this.#deps;
    const started = attemptStarted(this.#row, this.#time());
    await (this.#isRecorded ? recorder.start(started) : recorder.write(started));
    this.#isRecorded = false;
    this.#row = started;
    let leave: () => void;
    try {
      const place = this.#mode.enter(this.stop);
      leave = typeof place === 'function' ? place : await place;
    } catch (error) {
      if (error instanceof Stopped) return notSent(error.reason);
      throw error;
    }
    try {
      this.#arm(setup.callback.timeoutSeconds);
      const seconds = setup.plugin.config.extras.attemptTimeoutSeconds;
      return await (seconds > 0 ? this.#limited(setup, draft, seconds) : this.#run(setup, draft, this.stop));
    } finally {
      leave();
    }
  }

  #run(setup: Setup, draft: Draft, stop: Stop): Promise<AttemptDone> {
    const { ports } = this.#deps;
    const { plugin, callback, methods } = setup;
    const limits =
      this.#mode.kind === 'action'
        ? ({ maxBytes: ports.settings.maxAnswerBytes, tooLong: 'fail' } as const)
        : ({ maxBytes: BEGINNING_BYTES, tooLong: 'cut' } as const);
    const input = {
      id: this.#row.Id,
      number: this.#row.AttemptCount,
      plugin,
      callback,
      draft,
      method: methods[this.#progress.method],
      rejectedToken: this.#rejectedToken,
      limits,
      now: ports.clock.now,
    };
    return runAttempt(input, this.#deps, stop);
  }

  /** One attempt within a time limit of its own. */
  async #limited(setup: Setup, draft: Draft, seconds: number): Promise<AttemptDone> {
    const own = new Stop();
    const off = this.stop.on((reason) => own.trigger(reason));
    const disarm = this.#deps.ports.clock.after(seconds * 1000, () => own.trigger('unwanted'));
    try {
      const done = await this.#run(setup, draft, own);
      if (done.result.kind !== 'stopped' || done.result.reason !== 'unwanted') return done;
      const message = `no answer came within the AttemptTimeout of ${seconds} s`;
      const report = { ...done.report, State: 'failed', Error: message } as const;
      return { ...done, result: { kind: 'no-answer', message }, report };
    } finally {
      disarm();
      off();
    }
  }

  async #conclude(setup: Setup, done: AttemptDone): Promise<Delivered | Again> {
    const { ports } = this.#deps;
    this.#close(done.report);
    const decision = decide(done.result, this.#progress, {
      callback: setup.callback,
      methods: setup.methods,
      backoff: setup.plugin.config.extras.backoff,
      remainingMs: setup.callback.timeoutSeconds * 1000 - this.#elapsed(),
      random: ports.random(),
    });
    switch (decision.kind) {
      case 'delivered':
        return this.#succeed(setup, done.answer ?? Buffer.alloc(0));
      case 'failed':
        return this.#fail(decision.failure);
      case 'stopped':
        return this.#stopped(decision.reason);
      case 'again': {
        if (decision.why === 'refresh') this.#rejectedToken = done.token;
        this.#progress = decision.progress;
        const nextAttempt = decision.waitMs > 0 ? new Date(ports.clock.now() + decision.waitMs).toISOString() : '';
        const row = waitsAgain(this.#row, { nextAttempt, retries: this.#progress.retries, elapsed: this.#elapsed() });
        // Without a wait the record of the next attempt carries all this.
        if (decision.waitMs > 0) await this.#record(row);
        else this.#row = row;
        return decision;
      }
    }
  }

  /** The open attempt has come to its end. */
  #close(report: AttemptReport): void {
    this.#row = attemptEnded(this.#row, report);
    this.#deps.meters.attempt(report);
  }

  async #succeed(setup: Setup, body: Buffer): Promise<Delivered> {
    const answer =
      this.#mode.kind === 'action' ? decodeAnswer(setup.callback.response, body) : ({ ok: true, value: null } as const);
    if (!answer.ok) return this.#fail({ code: 400, messages: [answer.reason] });
    await this.#end(ended(this.#row, 'ok', this.#time()));
    return { kind: 'ok', row: this.#row, answer: answer.value };
  }

  async #fail(failure: Failure): Promise<Delivered> {
    await this.#end(ended(this.#row, 'failed', this.#time(), failure.messages.join('; ')));
    return { kind: 'failed', row: this.#row, failure };
  }

  async #stopped(reason: StopReason): Promise<Delivered> {
    if (this.#row.Attempts.at(-1)?.State === 'sending') this.#close(notSent(reason).report);
    if (reason === 'timeout') {
      const message = `Callback ${this.#row.Action} did not finish within its Timeout of ${this.#timeoutSeconds} s`;
      return this.#fail({ code: 400, messages: [message] });
    }
    if (reason === 'cancelled') {
      await this.#end(ended(this.#row, 'cancelled', this.#time(), 'cancelled'));
      return { kind: 'cancelled', row: this.#row };
    }
    const { retries } = this.#progress;
    await this.#end(waitsAgain(this.#row, { nextAttempt: '', retries, elapsed: this.#elapsed() }));
    return { kind: 'shutdown', row: this.#row };
  }

  /** A mistake in here: it would be the same again and again, so the delivery ends with it. */
  #broken(error: unknown): Promise<Delivered> {
    this.#deps.ports.log.error({ err: error, delivery: this.#row.Id }, 'a delivery failed unexpectedly');
    const message = this.#masker.text(`unexpected error: ${error instanceof Error ? error.message : String(error)}`);
    if (this.#row.Attempts.at(-1)?.State === 'sending')
      this.#close({ State: 'failed', Auth: '', Status: 0, Error: message });
    return this.#fail({ code: 500, messages: [message] });
  }

  #record(row: Delivery): Promise<void> {
    this.#row = row;
    this.#isRecorded = true;
    return this.#deps.recorder.insist(row);
  }

  async #end(row: Delivery): Promise<void> {
    const written = this.#record(row);
    // Whoever is next starts in the same commit.
    this.#mode.concluded();
    await written;
    this.#deps.meters.ended(row);
  }

  async #wait(ms: number): Promise<void> {
    this.#mode.pausing();
    await pause(this.#deps.ports.clock, ms, this.stop);
    await this.#mode.resume();
  }

  async #hold(reason: string, until: () => Promise<void>): Promise<void> {
    this.#passOnChance();
    if (this.#row.State !== 'held' || this.#row.Error !== reason) {
      await this.#record(held(this.#row, reason));
    }
    this.#mode.pausing();
    await until();
    await this.#mode.resume();
  }

  #arm(timeoutSeconds: number): void {
    if (this.stop.reason !== undefined) throw new Stopped(this.stop.reason);
    this.#timeoutSeconds = timeoutSeconds;
    if (this.#startedAt !== undefined) return;
    const { clock } = this.#deps.ports;
    this.#startedAt = clock.monotonic();
    this.#disarm = clock.after(timeoutSeconds * 1000 - this.#usedBefore, () => this.stop.trigger('timeout'));
  }

  #elapsed(): number {
    const here = this.#startedAt === undefined ? 0 : this.#deps.ports.clock.monotonic() - this.#startedAt;
    return Math.round(this.#usedBefore + here);
  }

  #time(): string {
    return timeText(this.#deps.ports.clock.now());
  }
}
