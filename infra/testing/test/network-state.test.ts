import { startNetwork } from '@wayquest/testing';
import { describeNetworks } from '../src/network/state.ts';

test('the state that is added to failures lists each service, and nothing as unknown', async () => {
  const network = await startNetwork();
  try {
    await network.settle();
    const state = await describeNetworks();
    expect(state).toContain('its bus is ready and idle');
    for (const name of network.names) expect(state).toContain(`  ${name}: ready, nothing to publish`);
    expect(state).not.toContain('unknown');
  } finally {
    await network.stop();
  }
});
