import { type Network, newChallenge, newUser, startNetwork, withServiceStore } from '@wayquest/testing';
import { challengeModel } from '../src/challenge.model.ts';
import { startAnother } from './instances.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['challenges'] });
});
afterAll(() => network?.stop());

const find = async (query: object) => (await network.client().listChallenges({ query })).map(({ id }) => id);
const clusters = (query: object) =>
  network.client().listChallengeClusters({ query: { bbox: '-180,-90,180,90', zoom: 0, ...query } });

it('finds challenges by beginnings of words, in any order, in name, place and city', async () => {
  const ann = await newUser(network);
  const made = async (name: string, locationName: string, city: string) =>
    (await newChallenge(ann, { name, locationName, city })).id;
  const cafe = await made("Joe's Café at the Skate-Park d’Été", 'Müller Hall', 'São Paulo');
  const church = await made('St.Mary’s, 1,000 steps: up_and_down', 'Hawai‘i House', 'ΚΟΣΜΟΣ');
  const tower = await made('大阪城公園 スカイツリー', 'สวนลุมพินี', 'Łódź');
  const found = {
    joe: cafe,
    'JOE’S': cafe,
    joes: cafe,
    été: cafe,
    "d'été": cafe,
    dete: cafe,
    cafe,
    CAFÉ: cafe,
    skate: cafe,
    'park skate': cafe,
    mull: cafe,
    'sao cafe': cafe,
    paulo: cafe,
    'caf cafe': cafe,
    mary: church,
    marys: church,
    '000': church,
    steps: church,
    down: church,
    hawaii: church,
    ΚΟΣ: church,
    大阪城公: tower,
    公園: tower,
    スカイツ: tower,
    ツリー: tower,
    สวนลุ: tower,
    ลุมพินี: tower,
    łód: tower,
  };
  for (const [search, id] of Object.entries(found)) {
    expect([search, ...(await find({ search }))]).toEqual([search, id]);
  }
  for (const search of ['oe', 'cafes', 'joe mary', 'aint', '阪大', '!!!', '.*']) {
    expect([search, ...(await find({ search }))]).toEqual([search]);
    expect(await find({ search, near: '0,0' })).toEqual([]);
    expect(await clusters({ search })).toEqual([]);
  }
});

it('finds frequent words in pages', async () => {
  const common = 2_100;
  await withServiceStore(network, 'challenges', async (store) => {
    const documents = Array.from({ length: common }, (_, n) => ({
      _id: 1_000_000 + n,
      version: 1,
      name: `Meadow ${n}`,
      description: '',
      difficulty: 'Easy',
      points: 10,
      locationName: '',
      streetAddress: '',
      city: 'Kassel',
      state: '',
      zip: '',
      startDate: null,
      endDate: null,
      timeZone: 'Europe/Berlin',
      // One of a hundred is far from all others.
      location: { type: 'Point', coordinates: n % 100 ? [9.4 + (n % 7) / 100, 51.3] : [15 + n / 1e6, 69] },
      creator: { id: 1, username: 'maker' },
      participants: 0,
      createdAt: new Date(),
    }));
    await challengeModel(store).insertMany(
      documents.map((each) => ({ ...each, words: ['meadow', 'kassel'] })),
    );
    await store.collection('migrations').deleteMany({});
  });
  await startAnother(network);
  const ids = (from: number, below: number) => Array.from({ length: below - from }, (_, n) => below - 1 - n);
  const last = 1_000_000 + common;
  expect(await find({ search: 'mead', limit: 300 })).toEqual(ids(last - 300, last));
  expect(await find({ search: 'kass mead', limit: 300, cursor: String(last - 300) })).toEqual(
    ids(last - 600, last - 300),
  );
  const far = await find({ search: 'mead', bbox: '14,68,16,70' });
  expect(far).toEqual(Array.from({ length: 21 }, (_, n) => 1_002_000 - n * 100));
  expect(await find({ search: 'mead', bbox: '9,51,10,52', limit: 10 })).toHaveLength(10);
  const count = async (query: object) =>
    (await clusters({ search: 'meadow', ...query })).reduce((sum, each) => sum + each.count, 0);
  expect(await count({})).toBe(common);
  expect(await count({ bbox: '14,68,16,70', zoom: 8 })).toBe(21);
  const all = [...'meadow'].map((_, n) => 'meadow'.slice(0, n + 1)).join(' ');
  expect(await find({ search: all, limit: 1 })).toEqual([last - 1]);
  expect(await find({ search: `${all} lagoon` })).toEqual([]);
});

/** Search texts, and the names that they find. */
const spellings = {
  lodz: 'Łódź',
  strasse: 'Straße',
  orsted: 'Ørsted',
  thingvellir: 'Þingvellir',
  'da nang': 'Đà Nẵng',
  isparta: 'Isparta ısırgan',
  oeuvre: 'Œuvre',
  图书馆: '圖書館',
  圖書館: '中央图书馆',
  什麼: '什么都有',
  らーめん: 'ラーメン横丁',
  احمد: 'أحمد',
};

it.each(Object.entries(spellings))('a search for %s finds %s', async (search, name) => {
  const { id } = await newChallenge(await newUser(network), { name, city: 'Somewhere' });
  expect(await find({ search })).toContain(id);
});

it('a search finds challenges whose search tokens an older version stored', async () => {
  const { id } = await newChallenge(await newUser(network), { name: 'Højbro 臺灣' });
  await withServiceStore(network, 'challenges', async (store) => {
    await store
      .collection<{ _id: number }>('challenges')
      .updateOne({ _id: id }, { $set: { words: ['højbro', '臺灣', '灣'] } });
    await store.collection('migrations').deleteMany({});
  });
  expect(await find({ search: 'hojbro' })).toEqual([]);
  await startAnother(network);
  for (const search of ['hojbro', 'højbro', '台湾', '湾'])
    expect([search, ...(await find({ search }))]).toEqual([search, id]);
});

it('adds search tokens to challenges of an older version', async () => {
  const ann = await newUser(network);
  const { id } = await newChallenge(ann, { name: 'Windmill', city: 'Zaandam' });
  const nameless = await newChallenge(ann, { name: '🎉' });
  await withServiceStore(network, 'challenges', async (store) => {
    await store.collection<{ _id: number }>('challenges').updateOne({ _id: id }, { $unset: { words: 1 } });
    await store.collection('migrations').deleteMany({});
  });
  expect(await find({ search: 'windm zaan' })).toEqual([]);
  await startAnother(network);
  expect(await find({ search: 'windm zaan' })).toEqual([id]);
  expect(await find({ cursor: String(nameless.id + 1), limit: 1 })).toEqual([nameless.id]);
});

it('guesses the kind of place again for challenges of an older version', async () => {
  const ann = await newUser(network);
  const { id } = await newChallenge(ann, { name: 'Listen to the organ', locationName: 'St. Luke’s' });
  const drowsy = await newChallenge(ann, { name: 'Sit on the bench', locationName: 'Kissena Park' });
  await withServiceStore(network, 'challenges', async (store) => {
    await store
      .collection<{ _id: number }>('challenges')
      .updateMany({ _id: { $in: [id, drowsy.id] } }, { $set: { placeCategory: 'attraction' } });
    await store.collection('migrations').deleteMany({});
  });
  expect(await find({ placeCategory: 'church', search: 'organ' })).toEqual([]);
  await startAnother(network);
  expect(await find({ placeCategory: 'church', search: 'organ' })).toEqual([id]);
  expect(await find({ placeCategory: 'park', search: 'bench' })).toEqual([drowsy.id]);
});
