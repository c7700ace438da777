import { requestReplicaRebuild } from '@wayquest/platform/service';
import { eventually, type Network, newUser, startNetwork, withServiceStore } from '@wayquest/testing';

/** Tests that pass on every kind of bus. */
export const rebuildSuite = (bus: 'in-process' | 'rabbitmq') => () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ bus });
  });
  afterAll(() => network?.stop());

  it('restores the users and friendships that chat lost, on request', async () => {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
    await bob.client.acceptFriend({ params: { id: requestId } });
    await bob.client.updateMe({ body: { firstName: 'Roberta' } });
    await network.settle();
    const list = () => ann.client.listConversations({ params: { userId: ann.me.id } });
    const before = await list();
    expect(before).toMatchObject([{ open: true, user: { firstName: 'Roberta' } }]);

    await withServiceStore(network, 'chat', async (connection) => {
      for (const collection of ['users', 'friendships'])
        await connection.collection(collection).deleteMany({});
      expect(await list()).toEqual([]);
      await requestReplicaRebuild(connection, 'chat');
      await eventually(async () => (await list()).length === 1);
      await network.settle();
      expect(await list()).toEqual(before);
      expect(await connection.collection('replica_requests').countDocuments()).toBe(0);
    });
  });
};
