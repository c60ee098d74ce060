/**
 * Assembles one run of the service: store, access, objects, callbacks and REST, wired to each other. The host mounts what comes
 * out and stops it again; nothing here outlives a stop.
 */
import { join } from 'node:path';
import {
  type Access,
  type Actor,
  createAccess,
  type DeadTokenEvent,
  hashPassword,
  newSecret,
  type SignInEvent,
  SYSTEM_ACTOR,
  verifyPassword,
} from './access/index.ts';
import { createLicenses, type LicenseVerifier } from './access/license/index.ts';
import { createAccessReader, type RightsReader } from './access-reader.ts';
import { DELIVERIES } from './callbacks/index.ts';
import { MODELS, SECRET_ADDRESSES, SECRET_FIELDS } from './contract/models/index.ts';
import type { DataDirectory, Service } from './host/index.ts';
import { buildInfo } from './info.ts';
import type { JsonObject } from './kit/json.ts';
import type { Log } from './kit/log.ts';
import {
  type ActionDeps,
  type Call,
  createBlobs,
  createObjects,
  DEFAULT_PASSWORD,
  DEFAULT_USER,
  type Demand,
  type DenialReason,
  FILES,
  hasBlob,
  hostInterfaces,
  ISOS,
  isStoreIndex,
  joinRules,
  type Objects,
  plantSeeds,
  runAction,
  SECURE_KEYS,
  type Shape,
} from './objects/index.ts';
import { allRoutes, type Context, createEventSockets, createRest, shapeOf } from './rest/index.ts';
import { accessRoutes } from './rest/routes/access.ts';
import { auditRoutes } from './rest/routes/audit.ts';
import { deliveryRoutes } from './rest/routes/deliveries.ts';
import { fileRoutes } from './rest/routes/files.ts';
import { jobRoutes } from './rest/routes/jobs.ts';
import { logRoutes } from './rest/routes/logs.ts';
import { providerRoutes } from './rest/routes/providers.ts';
import { newerClientRoutes } from './rest/routes/v4.ts';
import { wireCallbacks } from './service-callbacks.ts';
import { createServiceLog, type ServiceLog } from './service-log.ts';
import {
  createSqliteDriver,
  memoryDriver,
  openStore,
  type Retention,
  type Store,
  type UniqueIndex,
} from './store/index.ts';
import { createJobLogs, forgetLogsOfRemovedJobs, WORKFLOW_RULES } from './workflow/index.ts';

interface ServiceOptions {
  readonly directory: DataDirectory;
  readonly url: string;
  readonly version: string;
  readonly clock: () => number;
  readonly log: Log;
  readonly compat: 'auto' | Shape;
  /** `memory` keeps nothing: for tests. */
  readonly storage: 'sqlite' | 'memory';
  /** How much of the change log to keep. */
  readonly logRetention: Retention;
}

/** Attempts under way get this long to end at a stop. */
const CALLBACK_DRAIN_MS = 1_000;

/** Steps that take the service down again, last first. */
type Undo = (() => unknown)[];

/** To be raised when any index of any model answers differently than before: the next start then makes all values anew. */
const INDEX_VERSION = 1;

/** Unique indexes that the store enforces, by prefix. */
function uniqueIndexes(): Record<string, Record<string, UniqueIndex>> {
  return Object.fromEntries(
    Object.values(MODELS).map((definition) => [
      definition.prefix,
      Object.fromEntries(
        Object.entries(definition.indexes)
          .filter(([index]) => isStoreIndex(definition, index))
          .map(([index, spec]) => [
            index,
            { version: INDEX_VERSION, value: (value) => String(spec.value(value)) || undefined },
          ]),
      ),
    ]),
  );
}

/** The same places where a content pack brings the object along. */
const packed = (fields: typeof SECRET_FIELDS): string[] =>
  Object.entries(fields).flatMap(([prefix, pointers]) => pointers.map((pointer) => `/sections/${prefix}/*${pointer}`));
/** What no log record may hold, by prefix. */
const SECRETS = {
  ...SECRET_FIELDS,
  contents: packed(SECRET_FIELDS),
  [SECURE_KEYS]: ['/privateKey'],
  [DELIVERIES]: ['/Override/Value'],
};

/** Opens the store of a data directory with the indexes and secrets of the models; without a path one in memory. */
export function openObjectStore(
  path: string | undefined,
  clock: () => number,
  retention: Retention = {},
): Promise<Store> {
  return openStore({
    driver: path === undefined ? memoryDriver() : createSqliteDriver({ path }),
    uniqueIndexes: uniqueIndexes(),
    secretFields: SECRETS,
    retention,
    secretAddresses: { ...SECRET_ADDRESSES, contents: packed(SECRET_ADDRESSES) },
    clock,
  });
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const store = await openObjectStore(
    options.storage === 'memory' ? undefined : options.directory.database,
    options.clock,
    options.logRetention,
  );
  const undo: Undo = [() => store.close()];
  try {
    return await assembleOn(store, options, undo);
  } catch (error) {
    for (const step of undo) await step();
    throw error;
  }
}

/** A query may hold a token. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** Denials and sign-ins go to the audit trail beside the request; a trail that cannot be written must not stop requests. */
function createAuditNotes(store: Store, { backend: log, frontend, lines }: ServiceLog) {
  const note = (actor: string, requestId: string, kind: string, fields: JsonObject): void => {
    store
      .appendNote({ actor, requestId }, { ...fields, kind })
      .catch((error: unknown) => log.error({ err: error, kind }, 'audit note was not written'));
  };
  return {
    denied: (call: Call, { scope, action, specific }: Demand, reason: DenialReason): void =>
      note(call.actor.name, call.requestId, 'denied', { url: pathOf(call.url), scope, action, specific, reason }),
    deadToken: ({ requestId, url, scope, subject, sentence }: DeadTokenEvent): void =>
      note(subject, requestId, 'denied', {
        url: pathOf(url),
        scope,
        action: '',
        specific: subject,
        reason: 'token',
        sentence,
      }),
    signIn({ requestId, ...event }: SignInEvent): void {
      frontend.info({ user: event.user, address: event.address, outcome: event.outcome }, 'sign-in');
      // Clients look for this very sentence (wire-format.md 1.4).
      if (event.outcome === 'ok')
        lines.audit('frontend', `Authenticated user ${event.user} from ${event.address}`, event.user);
      note(event.user, requestId, 'sign-in', { ...event });
    },
    blob: (call: Call, change: { scope: string; action: string; path: string; size: number }): void =>
      note(call.actor.name, call.requestId, 'blob', { ...change }),
  };
}

/** Whether the default administrator still has the password everybody knows; asked again only when the hash changes. */
function createDefaultPasswordCheck(objects: Objects): { current: () => boolean; refresh: () => Promise<void> } {
  let judged = '';
  let isDefault = false;
  const hashNow = (): string => String(objects.view.get('users', DEFAULT_USER)?.value['PasswordHash'] ?? '');
  const refresh = async (): Promise<void> => {
    const hash = hashNow();
    if (hash === judged) return;
    judged = hash;
    isDefault = hash !== '' && (await verifyPassword(DEFAULT_PASSWORD, hash)).ok;
  };
  return {
    current() {
      if (hashNow() !== judged) {
        isDefault = false;
        void refresh();
      }
      return isDefault;
    },
    refresh,
  };
}

function contentLicense(objects: () => Objects): string | undefined {
  const params = objects().view.get('profiles', 'rackn-license')?.value['Params'] as JsonObject | undefined;
  const text = params?.['rackn/license'];
  return typeof text === 'string' ? text : undefined;
}

async function assembleOn(store: Store, options: ServiceOptions, undo: Undo): Promise<Service> {
  const { directory, clock } = options;
  const isNew = store.seq === 0;
  // Rooms below ask through these; the room above is there before anybody does.
  let objects!: Objects;
  const serviceLog = createServiceLog(options.log, clock, () => objects);
  const log = serviceLog.backend;
  const notes = createAuditNotes(store, serviceLog);
  let access!: Access;
  const license: LicenseVerifier = createLicenses({
    dataDirectory: directory.path,
    clock,
    contentLicense: () => contentLicense(() => objects),
  });
  undo.unshift(() => license.close());
  const reader: RightsReader = createAccessReader(store, () => objects.view);
  undo.unshift(() => reader.close());

  const isos = join(directory.path, ISOS.scope);
  const wiring = wireCallbacks(options.version, () => objects);
  objects = createObjects({
    store,
    clock,
    hasFeature: (feature) => license.has(feature),
    rules: joinRules(WORKFLOW_RULES, wiring.rules),
    pluginLayers: [wiring.layer],
    live: { interfaces: hostInterfaces(clock), plugin_providers: () => [wiring.record] },
    hasIso: (name) => hasBlob(isos, name),
    onDenied: notes.denied,
    onContentSwap: () => reader.touched(),
  });
  undo.unshift(() => objects.close());

  access = createAccess({
    read: reader,
    clock,
    onSignIn: notes.signIn,
    onDeadToken: notes.deadToken,
    onPasswordUpgrade: (user, hash, replaced) =>
      objects.committer
        .internal('system', (unit) => {
          // A user of a content layer keeps what the layer says: a copy of it would outlive the layer.
          const stored = unit.isReadOnly('users', user) ? undefined : unit.get('users', user);
          if (stored?.value['PasswordHash'] === replaced)
            unit.put('users', user, { ...stored.value, PasswordHash: hash });
        })
        .catch((error: unknown) => log.warn({ user, err: error }, 'password hash was not upgraded')),
  });

  await plantSeeds(objects.committer, isNew, {
    passwordHash: () => hashPassword(DEFAULT_PASSWORD),
    newSecret,
    autoStart: [wiring.autoStart],
  });
  if (options.storage !== 'memory') directory.markUsed();
  await objects.settle();
  const defaultPassword = createDefaultPasswordCheck(objects);
  await defaultPassword.refresh();

  const apiPort = Number(new URL(options.url).port);
  const endpointId = directory.endpointId;
  const infoOptions = {
    objects,
    version: options.version,
    endpointId,
    apiPort,
    license: () => license.licenseInfo(),
  };
  const info = (context: Context): JsonObject =>
    buildInfo(infoOptions, context.call, context.localAddress, context.shape);

  const systemInfo = (): JsonObject =>
    buildInfo(
      infoOptions,
      { actor: SYSTEM_ACTOR, requestId: '', url: '', force: false },
      new URL(options.url).hostname,
      'v4',
    );
  const { callbacks, provider } = wiring.create(store, log, systemInfo);
  await callbacks.start();
  undo.unshift(() => callbacks.stop(CALLBACK_DRAIN_MS));
  const logs = createJobLogs(join(directory.path, 'job-logs'), log);
  undo.unshift(forgetLogsOfRemovedJobs(objects.events, logs, log));

  const actions: ActionDeps = {
    view: objects.view,
    guard: objects.guard,
    paramRules: objects.paramRules,
    providers: [provider],
    effectiveParam: objects.effectiveParam,
    publish: (event) => objects.events.publish(event),
  };

  const blobs = [FILES, ISOS].map((kind) =>
    createBlobs({
      kind,
      guard: objects.guard,
      root: kind === FILES ? directory.files : isos,
      async onChange(call, change) {
        notes.blob(call, change);
        if (kind === ISOS) await objects.isoChanged(change.path);
      },
    }),
  );
  const ended = new AbortController();
  const rest = await createRest({
    access,
    routes: allRoutes({
      objects,
      access,
      actions,
      info,
      ended: ended.signal,
      more: [
        ...auditRoutes(objects),
        ...accessRoutes({ objects, access, licensed: (feature) => license.has(feature) }),
        ...fileRoutes(blobs),
        ...logRoutes(objects, serviceLog.lines),
        ...providerRoutes(objects),
        ...newerClientRoutes(objects),
        ...deliveryRoutes({ objects, callbacks, info }),
        ...jobRoutes({
          objects,
          logs,
          clock,
          runAction: (call, machine, command, plugin) =>
            runAction(
              actions,
              call,
              { kind: 'object', definition: MODELS.machines, typed: machine },
              command,
              plugin,
              {},
            ),
          issueMachineToken: (kind, subject, seconds) => access.issueMachineToken(kind, subject, seconds),
          info,
        }),
      ],
    }),
    log: serviceLog.frontend,
    version: options.version,
    compat: options.compat,
  });
  undo.unshift(() => rest.close());
  const sockets = createEventSockets({
    objects,
    access,
    log: serviceLog.frontend,
    clock,
    generation: () => reader.generation(),
    shapeOf: (headers) => shapeOf(options.compat, headers),
  });

  let drained = false;
  const drain = (): void => {
    if (drained) return;
    drained = true;
    ended.abort();
    sockets.close();
  };
  return {
    handle: (request, response) => rest.handle(request, response),
    upgrade: (request, socket, head) => sockets.upgrade(request, socket, head),
    summary() {
      const status = license.status();
      return {
        defaultPassword: defaultPassword.current(),
        features: [...status.Features],
        labLicense: status.Lab,
        deliveries: callbacks.counts(),
      };
    },
    metrics: () => callbacks.metrics(),
    mayReadMetrics(authorization) {
      if (!authorization?.startsWith('Bearer ')) return false;
      try {
        const actor: Actor = access.bearer(authorization.slice('Bearer '.length));
        return actor.allows('info', 'get', '*');
      } catch {
        return false;
      }
    },
    drain,
    async stop() {
      drain();
      for (const step of undo) await step();
    },
  };
}
