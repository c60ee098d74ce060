/**
 * JSON Schemas (draft 4) of the params. Loose on purpose: a wrong field must be saved and reported in the plugin's Errors, not
 * refused, so the structures are described for editors and people, and judged by validate.ts.
 */
import type { JsonObject } from '../../kit/json.ts';

const TEXT: JsonObject = { type: 'string' };

export const ACTION_SCHEMA: JsonObject = TEXT;
export const PLUGIN_SCHEMA: JsonObject = { type: 'string', default: 'callback' };
export const PROXY_SCHEMA: JsonObject = { default: '', description: 'http://host:port; empty for none' };
export const SKIP_SCHEMA: JsonObject = { type: 'boolean', default: false };
export const CA_SCHEMA: JsonObject = { default: '', description: 'PEM text of certificates' };
export const INSECURE_SCHEMA: JsonObject = { default: false, description: 'true or false' };

const described = (description: string): JsonObject => ({ description });

export const CALLBACKS_SCHEMA: JsonObject = {
  description: 'Map from the name of an action to its callback.',
  additionalProperties: {
    properties: {
      Url: described('Address of the external service; a template.'),
      Method: described('Method of HTTP; default POST.'),
      Headers: described('Map of request headers.'),
      Retry: described('Retries before failing; default 0.'),
      Timeout: described('Seconds for everything, retries included; default 7200.'),
      Delay: described('Seconds between retries; default 0.'),
      NoBody: described('Send no body.'),
      JsonResponse: described('Give the answer back as JSON.'),
      StringResponse: described('Give the answer back as a JSON string.'),
      Auth: described('First auth method to try.'),
      Auths: described('Further auth methods to try.'),
      Aggregate: described('Include params of profiles, stage and global.'),
      Decode: described('Send secure params decoded.'),
      ExcludeParams: described('Names of params that are left out.'),
    },
  },
};

export const AUTHS_SCHEMA: JsonObject = {
  description: 'Map from a name to an auth method.',
  additionalProperties: {
    properties: {
      AuthType: described('basic, json-token or exec.'),
      Username: described('basic: user name.'),
      Password: described('basic: password.'),
      Path: described('exec: program whose trimmed output is the token.'),
      Url: described('json-token: address of the token request.'),
      Method: described('json-token: its method.'),
      Data: described('json-token: its body. Not a template.'),
      Query: described('json-token: its query string. Not a template.'),
      TokenField: described('json-token: field of the answer with the token.'),
      DurationField: described(
        'json-token: field of the answer with its lifetime in seconds; without it nothing is cached.',
      ),
      Retry: described('json-token: default 0.'),
      Timeout: described('json-token: seconds; default 7200.'),
      Delay: described('json-token: seconds; default 0.'),
    },
  },
};

export const DELIVERY_SCHEMA: JsonObject = {
  description: 'How callbacks are delivered beyond the basics. Everything is off unless given.',
  properties: {
    AttemptTimeout: described('Seconds one attempt may take.'),
    Backoff: {
      description: 'Waits grow from Delay (1 s when that is 0).',
      properties: {
        Factor: described('Growth per retry; default 2.'),
        MaxSeconds: described('Longest wait; default 300.'),
        Jitter: described('0 to 1: share of the wait by which it varies; default 0.2.'),
      },
    },
    Breaker: {
      description: 'Stops asking a destination that keeps failing.',
      properties: {
        Failures: described('In a row, before it trips; default 5.'),
        CooldownSeconds: described('Before one delivery may try again; default 30.'),
      },
    },
    Signing: {
      description: 'Signs requests in the headers of Standard Webhooks.',
      properties: { Secrets: described('One secret, or two while they are being exchanged: whsec_ and base64.') },
    },
    Egress: {
      description: 'Where requests may go: hosts, *.domains, addresses, networks. Judged on the resolved address.',
      properties: { Allow: described('Empty: everything not denied.'), Deny: described('Wins over Allow.') },
    },
  },
};
