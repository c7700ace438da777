import { type Network, startNetwork } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

/** The start of the map. */
const near = '40.76,-73.82';

const namesFor = async (text: string, query: object = { near }) =>
  (await network.client().searchPlaces({ query: { text, ...query } })).map(({ name }) => name);

describe('searching', () => {
  it('finds flushing', async () => {
    expect((await namesFor('Flushing'))[0]).toBe('Flushing');
  });
});
