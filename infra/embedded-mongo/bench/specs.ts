import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import { hasSpecs, runCrudSpecs, SPECS } from './crud-specs.ts';

if (!hasSpecs()) {
  console.error(`${SPECS} contains no specifications; set MONGO_SPECS to the folder that contains crud/.`);
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-specs-'));
const server = await startEmbeddedMongo({ directory });
const verdicts = await runCrudSpecs(process.env.MONGO_URL ?? server.url);
await server.stop();
rmSync(directory, { recursive: true });

const of = (verdict: string) => verdicts.filter((each) => each.verdict === verdict);
for (const { test, reason } of of('rejected')) console.log(`rejected ${test}\n         ${reason}`);
for (const { test, reason } of of('wrong')) console.log(`WRONG    ${test}\n         ${reason}`);
const [passed, rejected, wrong] = [of('passed').length, of('rejected').length, of('wrong').length];
console.log(
  `${passed} passed, ${rejected} rejected, ${wrong} wrong; ${of('not applicable').length} not applicable`,
);
process.exitCode = wrong > 0 ? 1 : 0;
