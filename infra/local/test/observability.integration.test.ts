import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, useShared } from '@wayquest/testing';
import { parse } from 'yaml';
import { z } from 'zod';
import { programs } from '../src/programs.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const yaml = (path: string): unknown => parse(read(path), { merge: true });
const configuration = 'infra/observability';

const { services } = z
  .object({
    services: z.record(
      z.string(),
      z.object({ profiles: z.array(z.string()).optional(), volumes: z.array(z.string()).default([]) }),
    ),
  })
  .parse(yaml('docker-compose.yml'));
const watchers = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('observability'));

test('monitoring runs only with its profile, and its configuration files exist', () => {
  expect(watchers.map(([name]) => name)).toEqual([
    'prometheus',
    'alertmanager',
    'otel-collector',
    'jaeger',
    'grafana',
  ]);
  const mounted = watchers
    .flatMap(([, { volumes }]) => volumes)
    // A setting can name another file.
    .map((volume) => volume.replace(/^\$\{\w+:-(.+?)\}/, '$1'))
    .filter((volume) => volume.startsWith('./'));
  expect(mounted).toHaveLength(5);
  for (const volume of mounted) expect(existsSync(resolve(root, volume.split(':')[0] ?? ''))).toBe(true);
});

test('Prometheus scrapes every part, and its alert covers missing ones', () => {
  const Config = z.object({
    rule_files: z.tuple([z.literal('/etc/prometheus/rules/*.rules.yml')]),
    scrape_configs: z.tuple([
      z.object({
        job_name: z.literal('wayquest'),
        dns_sd_configs: z.tuple([
          z.object({ names: z.array(z.string()), type: z.literal('A'), port: z.literal(9090) }),
        ]),
      }),
      z.object({ job_name: z.literal('wayquest-backup') }),
      z.object({ job_name: z.literal('rabbitmq') }),
      z.object({ job_name: z.literal('edge') }),
      z.object({
        job_name: z.literal('wayquest-parts'),
        static_configs: z.tuple([z.object({ targets: z.array(z.string()) })]),
      }),
    ]),
  });
  const [each, , , , parts] = Config.parse(yaml(`${configuration}/prometheus.yml`)).scrape_configs;
  const names = programs.map(({ name }) => name);
  expect(each.dns_sd_configs[0].names.toSorted()).toEqual(names.toSorted());
  expect(parts.static_configs[0].targets.toSorted()).toEqual(names.map((name) => `${name}:9090`).toSorted());
});

test('the collector receives traces and exports them to services that compose runs', () => {
  const parts = z.record(z.string(), z.unknown());
  const { receivers, processors, exporters, service } = z
    .object({
      receivers: z.object({
        otlp: z.object({ protocols: z.object({ http: z.object({ endpoint: z.string() }) }) }),
      }),
      processors: parts,
      exporters: z.record(z.string(), z.object({ endpoint: z.string() })),
      service: z.object({
        pipelines: z.object({
          traces: z.record(z.enum(['receivers', 'processors', 'exporters']), z.array(z.string())),
        }),
      }),
    })
    .parse(yaml(`${configuration}/otel-collector.yml`));
  expect(service.pipelines.traces).toEqual({
    receivers: Object.keys(receivers),
    processors: Object.keys(processors),
    exporters: Object.keys(exporters),
  });
  const documented = /OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/otel-collector:(\d+)/.exec(
    read('infra/docs/operations.md'),
  );
  expect(receivers.otlp.protocols.http.endpoint).toBe(`0.0.0.0:${documented?.[1]}`);
  for (const { endpoint } of Object.values(exporters))
    expect(services).toHaveProperty(endpoint.split(':')[0] ?? '');
});

const sources = z
  .object({ datasources: z.array(z.object({ uid: z.string(), type: z.string(), url: z.url() })) })
  .parse(yaml(`${configuration}/grafana/datasources/wayquest.yml`)).datasources;
const { panels } = z
  .object({
    uid: z.literal('wayquest'),
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        datasource: z.object({ type: z.string(), uid: z.string() }),
        targets: z.array(z.object({ expr: z.string() })).min(1),
      }),
    ),
  })
  .parse(JSON.parse(read(`${configuration}/grafana/dashboards/wayquest.json`)));

test.each(panels)('the dashboard uses metrics that exist: $title', ({ datasource, targets }) => {
  expect(sources).toContainEqual(expect.objectContaining(datasource));
  const metrics = metricsRegistry.getMetricsAsArray().map(({ name }) => name);
  for (const { expr } of targets)
    for (const [name] of expr.matchAll(/wayquest_\w+/g))
      expect(metrics).toContain(name.replace(/_(count|bucket)$/, ''));
});

test('Grafana queries services that compose runs', () => {
  for (const { url } of sources) expect(services).toHaveProperty(new URL(url).hostname);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

(await describeWith('promtool'))('Prometheus', () => {
  test('accepts its configuration and the dashboard’s queries', async () => {
    const promtool = await useShared('promtool');
    execFileSync(promtool, ['check', 'config', '--syntax-only', `${configuration}/prometheus.yml`], {
      cwd: root,
    });
    const rules = panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, n) => ({ record: `panel:${n}`, expr }));
    const directory = mkdtempSync(join(tmpdir(), 'wayquest-panels-'));
    const file = join(directory, 'panels.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    execFileSync(promtool, ['check', 'rules', file]);
    rmSync(directory, { recursive: true });
  });
});
