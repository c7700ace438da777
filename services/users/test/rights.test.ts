import { newEvent } from '@wayquest/platform/bus';
import { createRecordingLogger } from '@wayquest/testing';
import { startIsolatedUsers } from './isolated-users.ts';

it('logs once that a user became an admin, however often the event arrives', async () => {
  const { logger, securityEvents } = createRecordingLogger();
  const users = await startIsolatedUsers({}, { logger });
  try {
    const ada = { id: 7, username: 'ada', admin: false, version: 1 };
    const granted = newEvent('user.account-changed.v1', { ...ada, admin: true, version: 2 });
    await users.deliver(newEvent('user.registered.v1', ada));
    await users.deliver(granted);
    await users.deliver(granted);
    expect(securityEvents()).toMatchObject([{ security: 'rights-changed', userId: 7, operation: 'grant' }]);
  } finally {
    await users.stop();
  }
});
