import { hasSpecs, runCrudSpecs, SPECS } from '../bench/crud-specs.ts';
import { startServer } from './server.ts';

const UNSUPPORTED = [
  '115 an aggregation on a database is not supported by this server',
  '115 an update by a pipeline is not supported by this server',
  '115 the option arrayFilters is not supported by this server',
  '115 the option collation is not supported by this server',
  '115 the option let is not supported by this server',
  '115 the option viewOn is not supported by this server',
  '115 the stage $merge is not supported by this server',
  '115 the stage $out is not supported by this server',
  "59 no such command: 'collMod'",
  "59 no such command: 'configureFailPoint'",
];

if (!hasSpecs())
  console.warn(`SKIPPED: the public CRUD tests are not in ${SPECS}; set MONGO_SPECS to their folder`);

(hasSpecs() ? describe : describe.skip)('the public CRUD tests', () => {
  it('pass, or are rejected because of one of the listed unsupported features', async () => {
    const running = await startServer();
    const verdicts = await runCrudSpecs(running.server.url);
    await running.stop();
    expect(verdicts.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const rejected = verdicts.filter(({ verdict }) => verdict === 'rejected');
    expect([...new Set(rejected.map(({ reason }) => reason))].sort()).toEqual(UNSUPPORTED);
    expect(verdicts.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(232);
  });
});
