/** Steps the screen tests share: what a person does first, and what a script would do beside them. */
import { spawnSync } from 'node:child_process';
import type { APIRequestContext, Page } from '@playwright/test';
import { headlessEntry } from '../build/ensure.mjs';
import { expect, type ServerProcess } from './fixtures.ts';

export const ADMIN = 'rocketskates';
export const DEFAULT_PASSWORD = 'r0cketsk8ts';
export const PASSWORD = 'a better passphrase';

/** Issues and installs a lab license, as the README says, and waits until the running server has noticed. */
export async function licenseRbac(server: ServerProcess, request: APIRequestContext): Promise<void> {
  const args = [headlessEntry, 'license', 'issue', '--lab', '--data', server.dataDir, '--feature', 'rbac'];
  const issued = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(issued.status, issued.stderr).toBe(0);
  await expect
    .poll(async () => (await (await request.get(`${server.url}/host/state`)).json()).features)
    .toContain('rbac');
}

/** The API as a script uses it: Basic credentials on every call, JSON in and out, every failure a failed test. */
export class Script {
  readonly #request: APIRequestContext;
  readonly #server: ServerProcess;
  readonly #authorization: string;

  constructor(request: APIRequestContext, server: ServerProcess, user = ADMIN, password = PASSWORD) {
    this.#request = request;
    this.#server = server;
    this.#authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }

  async send<T>(method: string, path: string, data?: unknown, authorization = this.#authorization): Promise<T> {
    const response = await this.#request.fetch(`${this.#server.url}/api/v3${path}`, {
      method,
      headers: { Authorization: authorization },
      ...(data === undefined ? {} : { data }),
    });
    expect(response.status(), `${method} ${path}: ${await response.text()}`).toBeLessThan(400);
    return (await response.json()) as T;
  }

  /** A request the server is to refuse. */
  async fail(method: string, path: string, data?: unknown): Promise<void> {
    const headers = { Authorization: this.#authorization };
    const response = await this.#request.fetch(`${this.#server.url}/api/v3${path}`, { method, headers, data });
    expect(response.status(), `${method} ${path}`).toBeGreaterThanOrEqual(400);
  }

  /** Changes the default password without a screen, for tests that are about something else. */
  async settle(): Promise<this> {
    const old = `Basic ${Buffer.from(`${ADMIN}:${DEFAULT_PASSWORD}`).toString('base64')}`;
    await this.send('PUT', `/users/${ADMIN}/password`, { Password: PASSWORD }, old);
    return this;
  }
}

/** Fills and sends the sign-in form that the page shows. */
export async function enter(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User', { exact: true }).fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the application and signs in; ends on the list of machines. */
export async function signIn(page: Page, server: ServerProcess, user = ADMIN, password = PASSWORD): Promise<void> {
  await page.goto(`${server.url}/ui/`);
  await enter(page, user, password);
  await expect(page.getByRole('heading', { name: 'Machines', level: 1 })).toBeVisible();
}

type RailLabel =
  | 'Users'
  | 'Roles & Claims'
  | 'Tenants'
  | 'Tokens'
  | 'Access Simulator'
  | 'Machines'
  | 'Configuration'
  | 'Deliveries';

/** Goes to a screen by the rail. */
export async function goTo(page: Page, label: RailLabel): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
}

/** Opens an object's panel by its name in the list. */
export async function openRow(page: Page, name: string): Promise<void> {
  await page.getByRole('row', { name }).first().click();
  await expect(page.getByRole('complementary').getByRole('heading', { level: 2, name })).toBeVisible();
}
