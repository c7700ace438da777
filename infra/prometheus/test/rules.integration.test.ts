import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
// These register their metrics.
import '@wayquest/moderation';
import '../../admin/src/scheduled-backups.ts';
import '../../admin/src/store-metrics.ts';
import { metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, useShared } from '@wayquest/testing';
import { parse } from 'yaml';
import { alertTests, faults } from './faults.ts';

const folder = resolve(import.meta.dirname, '..');
interface Rule {
  alert: string;
  expr: string;
  annotations: { runbook?: string };
}
const ruleFiles = readdirSync(folder)
  .filter((name) => name.endsWith('.rules.yml'))
  .map((name) => join(folder, name));
const rules = ruleFiles.flatMap((file) => {
  const { groups }: { groups: { rules: Rule[] }[] } = parse(readFileSync(file, 'utf8'));
  return groups.flatMap((group) => group.rules);
});

test.each(rules)(
  '$alert uses metrics that exist, and links to a section of operations.md',
  ({ expr, annotations }) => {
    const metrics = metricsRegistry.getMetricsAsArray().map(({ name }) => name);
    for (const [name] of expr.matchAll(/wayquest_\w+/g))
      expect(metrics).toContain(name.replace(/_(count|bucket)$/, ''));
    const operations = readFileSync(resolve(folder, '../docs/operations.md'), 'utf8');
    expect(operations.split('\n')).toContain(`### ${annotations.runbook}`);
  },
);

test('each of our programs has an alert for when it is down', () => {
  const file = readFileSync(resolve(folder, '../observability/prometheus.yml'), 'utf8');
  const { scrape_configs: jobs }: { scrape_configs: { job_name: string }[] } = parse(file);
  const { expr = '' } = rules.find(({ alert }) => alert === 'InstanceDown') ?? {};
  const pattern = new RegExp(`^(?:${/job=~"([^"]*)"/.exec(expr)?.[1]})$`);
  const ours = jobs.map(({ job_name: name }) => name).filter((name) => name.startsWith('wayquest'));
  expect(ours.length).toBeGreaterThan(1);
  expect(ours.filter((name) => !pattern.test(name))).toEqual([]);
});

test('there is exactly one fault per alert', () => {
  expect(Object.keys(faults).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

(await describeWith('promtool'))('each alert', () => {
  test('each alert fires for its own fault only', async () => {
    const promtool = await useShared('promtool');
    const made = await mkdtemp(join(tmpdir(), 'wayquest-alerts-'));
    try {
      const file = join(made, 'alerts.json');
      await writeFile(file, JSON.stringify(alertTests(ruleFiles)));
      await promisify(execFile)(promtool, ['test', 'rules', file]);
    } finally {
      await rm(made, { recursive: true });
    }
  });
});
