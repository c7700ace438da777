import { readTowns } from '../src/gazetteer/geonames.ts';
import { packTowns } from '../src/gazetteer/pack-towns.ts';
import { fromBytes, toBytes } from '../src/gazetteer/packed-file.ts';
import { openTowns, type Town } from '../src/gazetteer/towns.ts';

it('unpacking returns each town and postal code that was packed', async () => {
  const read = await readTowns();
  const [zips, towns] = (['zip', 'town'] as const).map((kindOf) =>
    read.filter(({ kind }) => kind === kindOf),
  );
  const packed = [...(zips ?? []), ...(towns ?? [])];
  const opened = openTowns(fromBytes(toBytes(await packTowns())));

  expect(opened.zipCount).toBe(zips?.length);
  const wrong = packed.filter((town, id) => JSON.stringify(opened.at(id)) !== JSON.stringify(town));
  expect(wrong.slice(0, 3)).toEqual([]);
  const largest = (towns ?? []).reduce((one, other) => (other.population > one.population ? other : one));
  expect(opened.at(opened.byPopulation[0] ?? -1)).toEqual(largest);
  const flushing: Partial<Town> = { kind: 'zip', name: '11354', city: 'Flushing' };
  expect(opened.ofZip('11354')).toMatchObject(flushing);
  expect(opened.ofZip('00000')).toBeUndefined();
});
