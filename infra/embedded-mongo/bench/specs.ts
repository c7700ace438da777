import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { runCrudSpecs, SPECS, specsAreThere } from './crud-specs.ts';

if (!specsAreThere()) {
  console.error(`There are no specifications in ${SPECS}; MONGO_SPECS names the folder that holds crud/.`);
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-specs-'));
const server = await startEmbeddedMongo({ directory });
const verdicts = await runCrudSpecs(process.env.MONGO_URL ?? server.url);
await server.stop();
rmSync(directory, { recursive: true });

const of = (verdict: string) => verdicts.filter((each) => each.verdict === verdict);
for (const { test, why } of of('refused')) console.log(`refused  ${test}\n         ${why}`);
for (const { test, why } of of('wrong')) console.log(`WRONG    ${test}\n         ${why}`);
const [passed, refused, wrong] = [of('passed').length, of('refused').length, of('wrong').length];
console.log(
  `${passed} passed, ${refused} refused, ${wrong} wrong; ${of('not for us').length} are for other servers`,
);
process.exitCode = wrong > 0 ? 1 : 0;
