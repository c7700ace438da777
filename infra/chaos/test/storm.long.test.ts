import { describeWith, startDedicated } from '@wayquest/testing';
import { faultsOf } from '../src/faults.ts';
import { runChaos } from '../src/run-chaos.ts';

(await describeWith('rabbitmq', 'redis'))('a short storm', () => {
  it('loses nothing that was acknowledged, whatever fails', async () => {
    const servers = {
      mongo: await startDedicated('embedded-store'),
      rabbitmq: await startDedicated('rabbitmq'),
      redis: await startDedicated('redis'),
    };
    const output: string[] = [];
    const { faults, violations, calls } = await runChaos({
      ...{ servers, as: 'processes', seed: 4, people: 8, rate: 15, rounds: 1, lasting: 1_200, calm: 800 },
      faults: faultsOf(
        servers,
        /^(users killed|chat paused|participation cut|RabbitMQ ended|Redis (killed|full))/,
      ),
      printLine: (sentence) => output.push(sentence),
    });
    expect({ violations, output: violations.length ? output : [] }).toEqual({ violations: [], output: [] });
    expect(faults).toHaveLength(6);
    // The others continue in the meantime.
    expect(calls.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThan(calls.length / 2);
  }, 180_000);
});
