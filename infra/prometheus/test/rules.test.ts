import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { metricsRegistry } from '@wayquest/platform/telemetry';
import { parse } from 'yaml';

const here = import.meta.dirname;
interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}
const { groups }: { groups: { rules: Rule[] }[] } = parse(
  readFileSync(resolve(here, '../parts.rules.yml'), 'utf8'),
);
const rules = groups.flatMap((group) => group.rules);

const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.each(rules)(
  '$alert looks at metrics that there are, and leads to a section of operations.md',
  ({ expr, annotations }) => {
    const metrics = metricsRegistry.getMetricsAsArray().map(({ name }) => name);
    for (const [name] of expr.matchAll(/wayquest_\w+/g))
      expect(metrics).toContain(name.replace(/_(count|bucket)$/, ''));
    const operations = readFileSync(resolve(here, '../../docs/operations.md'), 'utf8');
    expect(operations.split('\n')).toContain(`### ${annotations.runbook}`);
  },
);

(hasPromtool ? test : test.skip)('each alert fires from its own fault, and not without it', async () => {
  await promisify(execFile)('promtool', ['test', 'rules', 'parts.test.yml'], { cwd: here });
});
