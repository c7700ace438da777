import { runCrudSpecs, SPECS, specsAreThere } from '../bench/crud-specs.ts';
import { startServer } from './server.ts';

const REFUSED = [
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

if (!specsAreThere())
  console.warn(`SKIPPED: the public CRUD tests are not in ${SPECS}; MONGO_SPECS says where they are`);

(specsAreThere() ? describe : describe.skip)('the public CRUD tests', () => {
  it('pass, or are rejected for one of a few reasons', async () => {
    const running = await startServer();
    const verdicts = await runCrudSpecs(running.server.url);
    await running.stop();
    expect(verdicts.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    const refused = verdicts.filter(({ verdict }) => verdict === 'refused');
    expect([...new Set(refused.map(({ why }) => why))].sort()).toEqual(REFUSED);
    expect(verdicts.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(232);
  });
});
