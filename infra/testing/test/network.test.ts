import { startNetwork } from '@wayquest/testing';
import WithComplaints from '../src/jest/environment.ts';
import { networkSuite } from './network-suite.ts';

describe('a network on the in-process bus', networkSuite('in-process'));

test('a test that fails says what parts of its network complained of, and in which request', async () => {
  const failure = (name: 'test_fn_failure' | 'hook_failure') => {
    const error = new Error('not so');
    const told = { name, error };
    Reflect.apply(WithComplaints.prototype.handleTestEvent, { global: globalThis }, [told]);
    return error.stack;
  };
  {
    await using network = await startNetwork({ services: ['users', 'friends'] });
    expect(failure('test_fn_failure')).not.toContain('complained');
    const requestId = 'a-request-of-ours';
    network.logger.child({ service: 'friends' }).warn({ requestId }, 'something is odd');
  }
  expect(failure('test_fn_failure')).toMatch(
    /^Error: not so\n\nfriends complained:\n.* WARN something is odd {"requestId":"a-request-of-ours"}\n\n +at /,
  );
});
