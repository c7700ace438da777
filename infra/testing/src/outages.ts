import { eventually } from './eventually.ts';
import { complete, newChallenge, newUser } from './fixtures.ts';
import type { MultiProcessNetwork } from './network/network.ts';

/**
 * Tests that services in processes and in containers survive outages in the same way.
 *
 * @param network - The running network, with users and two replicas of participation.
 */
export function testOutages(network: () => MultiProcessNetwork): void {
  it('pauses a service until it is resumed, while others respond', async () => {
    const ann = await newUser(network());
    await network().pause('users');
    const pending = ann.client.getMe();
    const first = await Promise.race([pending, ann.client.listParticipations()]);
    await network().resume('users');
    expect(first).toEqual([]);
    expect(await pending).toEqual(ann.me);
  });

  it('serves from another replica when one is killed, responds 503 when all are, and recovers when they are revived', async () => {
    const ann = await newUser(network());
    await network().kill('participation', 0);
    await eventually(() => ann.client.listParticipations());
    await network().kill('participation');
    await expect(ann.client.listParticipations()).rejects.toThrow(
      /temporarily unavailable.*GET \/api\/challengeLine\/ is for participation, which was killed; request [\w-]+/,
    );
    await eventually(() =>
      expect(network().logs('gateway').join('\n')).toMatch(
        /WARN upstream request failed .*"requestId":"[\w-]+"/,
      ),
    );
    await network().revive('participation', 1);
    await eventually(() => ann.client.listParticipations());
    await network().revive('participation', 0);
    await eventually(() =>
      expect(network().logs('participation').join('\n')).toMatch(/GET \/api\/challengeLine/i),
    );
  });

  it('delivers events to a service after it was disconnected from RabbitMQ', async () => {
    const [ann, bob] = [await newUser(network()), await newUser(network())];
    const challenge = await newChallenge(bob, { points: 7 });
    await network().settle();
    await network().disconnect('users', 'rabbitmq');
    await complete(ann, challenge);
    expect(await ann.client.getMe()).toMatchObject({ points: 0 });
    await network().reconnect('users', 'rabbitmq');
    await eventually(async () => expect(await ann.client.getMe()).toMatchObject({ points: 7 }), {
      withinMs: 30_000,
    });
  });
}
