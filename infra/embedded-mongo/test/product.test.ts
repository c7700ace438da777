import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
/** Features that a standalone or the embedded server does not support: an operation changes one document (ADR 2). */
const UNSUPPORTED =
  /startSession|startTransaction|withTransaction|\.transaction\(|\.watch\(|\$text\b|\bcollation[:(]|arrayFilters|partialFilterExpression|\$(lookup|facet|unwind|merge|out|addFields|geoNear)\b|\$(expr|elemMatch|regex|mod|pop|currentDate|position|slice|geoIntersects|box|polygon)\b|\.\$\[|Decimal128/;

const sources = ['services', 'gateway', 'infra/local'].flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)src\/.*\.ts$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(root, part, path)),
);

describe('the product', () => {
  it('uses nothing that the embedded store does not support', () => {
    expect(sources.length).toBeGreaterThan(20);
    const uses = sources.flatMap((path) => {
      const found = UNSUPPORTED.exec(readFileSync(path, 'utf8'));
      return found ? [`${path}: ${found[0]}`] : [];
    });
    expect(uses).toEqual([]);
  });
});
