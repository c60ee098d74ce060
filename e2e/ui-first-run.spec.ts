/** From an empty data directory to an answered callback, the way a new user goes, and through a crash. */
import { expect, test } from './fixtures.ts';
import { ADMIN, DEFAULT_PASSWORD, enter, goTo, licenseRbac, openRow, PASSWORD, Script } from './ui-steps.ts';

interface Named {
  readonly Name: string;
}

test('a new user signs in, sets things up on the screens and sees the answer of a callback', async ({
  page,
  server,
  receiver,
  request,
}) => {
  await licenseRbac(server, request);
  await page.goto(`${server.url}/ui/`);

  await test.step('a wrong password is refused without saying which part was wrong', async () => {
    await expect(page.getByText(`Sign in with the default administrator ${ADMIN}`)).toBeVisible();
    await enter(page, ADMIN, 'wrong');
    await expect(page.getByRole('alert')).toContainText('User name or password is wrong');
  });

  await test.step('the default password has to be changed before anything else', async () => {
    await enter(page, ADMIN, DEFAULT_PASSWORD);
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    await page.getByLabel('New password', { exact: true }).fill(DEFAULT_PASSWORD);
    await page.getByLabel('Repeat the new password').fill(DEFAULT_PASSWORD);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByText('This is the password you have now.')).toBeVisible();
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the new password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByText('No machines yet')).toBeVisible();
    await expect(page.getByTestId('server-state')).toContainText('Running');
  });

  await test.step('a role with a claim', async () => {
    await goTo(page, 'Roles & Claims');
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByLabel('Name').fill('lab-ops');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('button', { name: 'Add claim' }).click();
    await page.getByRole('combobox', { name: 'Scope' }).fill('machines,roles');
    await page.getByRole('combobox', { name: 'Action' }).fill('get,list,action:callbackDo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Role saved')).toBeVisible();
  });

  await test.step('a user with that role and a password of its own', async () => {
    await goTo(page, 'Users');
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ana');
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option', { name: 'lab-ops' }).click();
    await dialog.getByLabel('New password', { exact: true }).fill('correct horse');
    await dialog.getByLabel('Repeat the new password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await expect(page.getByRole('row', { name: 'ana' })).toContainText('lab-ops');
  });

  await test.step('a machine', async () => {
    await goTo(page, 'Machines');
    await page.getByRole('button', { name: 'New machine' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('srv-0001.lab.example');
    await dialog.getByLabel('Address').fill('192.0.2.17');
    await dialog.getByRole('button', { name: 'Create machine' }).click();
    await expect(page.getByRole('row', { name: 'srv-0001.lab.example' })).toContainText('192.0.2.17');
  });

  const script = new Script(request, server);
  await test.step('a callback, configured by a script', async () => {
    await script.send('POST', '/plugins', {
      Name: 'cmdb',
      Provider: 'callback',
      Params: {
        'callback/callbacks': {
          announce: { Url: `${receiver.url}/machines`, Headers: { 'X-Lab': 'one' } },
          refused: { Url: `${receiver.url}/refused` },
        },
      },
    });
    await receiver.answerWith({ body: 'welcome, grüße' }, { status: 503, body: 'closed today' });
  });

  await test.step('Run callback sends the machine and shows the decoded answer', async () => {
    await page.getByRole('button', { name: 'Run callback' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'announce' }).click();
    await dialog.getByRole('button', { name: 'Run callback' }).click();
    await expect(dialog.getByTestId('callback-answer')).toHaveText('welcome, grüße');
    const [received] = await receiver.waitFor(1);
    expect(received).toMatchObject({ method: 'POST', url: '/machines', headers: { 'x-lab': 'one' } });
    expect(JSON.parse(received?.body ?? '')).toMatchObject({ Name: 'srv-0001.lab.example', Address: '192.0.2.17' });
  });

  await test.step('a refusal of the external service is an error of the action, not of this session', async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'refused' }).click();
    await dialog.getByRole('button', { name: 'Run again' }).click();
    await expect(dialog.getByRole('alert')).toContainText('503');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  await test.step('an acknowledged write survives a kill right after it, and the old token still works', async () => {
    const { Token } = await script.send<{ Token: string }>('GET', `/users/${ADMIN}/token`);
    const bearer = `Bearer ${Token}`;
    await script.send('POST', '/machines', { Name: 'written-last', Meta: {} }, bearer);
    await server.kill('SIGKILL');
    await expect(page.getByTestId('server-state')).toContainText('No answer');
    await server.restart();
    const names = async (path: string) =>
      (await script.send<Named[]>('GET', path, undefined, bearer)).map((o) => o.Name);
    expect(await names('/machines')).toEqual(expect.arrayContaining(['srv-0001.lab.example', 'written-last']));
    expect(await names('/roles')).toEqual(expect.arrayContaining(['lab-ops', 'superuser']));
    expect(await names('/users')).toEqual(expect.arrayContaining([ADMIN, 'ana']));
    expect(await names('/plugins')).toContain('cmdb');
    // The open page goes on by itself, with the session it had.
    await expect(page.getByTestId('server-state')).toContainText('Running');
    await expect(page.getByRole('row', { name: 'written-last' })).toBeVisible();
  });

  await test.step('the new user signs in and may do what its role says, and no more', async () => {
    await page.getByRole('button', { name: `User menu of ${ADMIN}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await enter(page, 'ana', 'correct horse');
    await openRow(page, 'srv-0001.lab.example');
    await expect(page.getByRole('button', { name: 'Run callback' })).not.toHaveAttribute('aria-disabled', 'true');
    const create = page.getByRole('button', { name: 'New machine' });
    await expect(create).toHaveAccessibleDescription('Requires: machines create *');
    await goTo(page, 'Users');
    await expect(page.getByText('You may not list users')).toBeVisible();
    await expect(page.getByText('Requires: users list')).toBeVisible();
  });
});
