/**
 * What `GET /host/state` answers: the host outlives the service, so this is the one
 * thing a screen may ask for while the service is stopped, upgraded or broken.
 */
import Type, { type Static } from 'typebox';

/** Life of the service inside the host. Every state carries only what it knows. */
export const ServiceState = Type.Union(
  [
    Type.Object({ state: Type.Literal('starting'), since: Type.String() }),
    Type.Object({ state: Type.Literal('running'), since: Type.String() }),
    Type.Object({ state: Type.Literal('stopping'), since: Type.String() }),
    Type.Object({ state: Type.Literal('stopped'), since: Type.String(), reason: Type.String() }),
    Type.Object({ state: Type.Literal('upgrading'), since: Type.String(), reason: Type.String() }),
    Type.Object({ state: Type.Literal('failed'), since: Type.String(), reason: Type.String(), hint: Type.String() }),
  ],
  { $id: 'ServiceState' },
);
export type ServiceState = Static<typeof ServiceState>;

export const HostState = Type.Object(
  {
    product: Type.Literal('Proviso'),
    version: Type.String(),
    /** `desktop` inside Electron, `headless` under plain Node. */
    mode: Type.Union([Type.Literal('desktop'), Type.Literal('headless')]),
    url: Type.String(),
    /** SHA-256 of the listener's certificate, colon-separated upper-case hex. */
    fingerprint: Type.String(),
    service: ServiceState,
    /** True while the default administrator still has the password everybody knows. */
    defaultPassword: Type.Boolean(),
    /** Licensed features in force, for the status strip (no owner data). */
    features: Type.Array(Type.String()),
    /** True when the licence was signed by this directory's own lab key. */
    labLicense: Type.Boolean(),
    /** Deliveries by state, for the status strip. */
    deliveries: Type.Object({ waiting: Type.Integer(), held: Type.Integer(), failed: Type.Integer() }),
    time: Type.String(),
  },
  { $id: 'HostState' },
);
export type HostState = Static<typeof HostState>;
