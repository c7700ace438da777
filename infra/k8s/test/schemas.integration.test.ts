import { describeWith } from '@wayquest/testing';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { z } from 'zod';
import { type KubernetesObject, rendered } from './rendered.ts';

const models = [
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  PersistentVolumeClaim,
  Service,
  ServiceAccount,
];

const named = z.strictObject({ name: z.string() });
const metadata = named.extend({ namespace: z.string() });
const amounts = z.partialRecord(z.enum(['cpu', 'memory']), z.string().regex(/^\d+(m|[KMG]i)?$/));
const resources = z.strictObject({ requests: amounts, limits: amounts });
const affinity = z.strictObject({
  podAntiAffinity: z.strictObject({
    requiredDuringSchedulingIgnoredDuringExecution: z.tuple([
      z.strictObject({
        topologyKey: z.literal('kubernetes.io/hostname'),
        labelSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
      }),
    ]),
  }),
});

/** The operators' custom resources, as far as we use their fields. */
const customResources = [
  z.strictObject({
    apiVersion: z.literal('mongodbcommunity.mongodb.com/v1'),
    kind: z.literal('MongoDBCommunity'),
    metadata,
    spec: z.strictObject({
      type: z.literal('ReplicaSet'),
      members: z.int(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      security: z.strictObject({
        authentication: z.strictObject({ modes: z.tuple([z.literal('SCRAM')]) }),
      }),
      users: z.array(
        z.strictObject({
          name: z.string(),
          db: z.string(),
          passwordSecretRef: named.extend({ key: z.string() }),
          scramCredentialsSecretName: z.string(),
          connectionStringSecretName: z.string(),
          roles: z.array(named.extend({ db: z.string() })),
          additionalConnectionStringConfig: z.record(z.string(), z.union([z.string(), z.int()])),
        }),
      ),
      statefulSet: z.strictObject({
        spec: z.strictObject({
          template: z.strictObject({
            spec: z.strictObject({
              affinity,
              containers: z.tuple([z.strictObject({ name: z.literal('mongod'), resources })]),
            }),
          }),
          volumeClaimTemplates: z.tuple([
            z.strictObject({
              metadata: z.strictObject({ name: z.literal('data-volume') }),
              spec: z.strictObject({
                accessModes: z.tuple([z.literal('ReadWriteOnce')]),
                resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
              }),
            }),
          ]),
        }),
      }),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('rabbitmq.com/v1beta1'),
    kind: z.literal('RabbitmqCluster'),
    metadata,
    spec: z.strictObject({
      replicas: z.literal([1, 3, 5]),
      resources,
      persistence: z.strictObject({ storage: z.string() }),
      affinity,
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('redis.redis.opstreelabs.in/v1beta2'),
    kind: z.literal('Redis'),
    metadata,
    spec: z.strictObject({
      kubernetesConfig: z.strictObject({
        image: z.string(),
        redisSecret: named.extend({ key: z.string() }),
        resources,
      }),
      redisConfig: z.strictObject({ additionalRedisConfig: z.string() }),
      podSecurityContext: z.strictObject({
        ...{ runAsUser: z.int(), fsGroup: z.int(), runAsNonRoot: z.literal(true) },
        seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
      }),
      securityContext: z.strictObject({
        allowPrivilegeEscalation: z.literal(false),
        capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
      }),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal('PodMonitor'),
    metadata,
    spec: z.strictObject({
      selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
      podMetricsEndpoints: z.array(
        z.strictObject({
          port: z.literal(['management', 'prometheus']),
          interval: z.string().regex(/^\d+s$/),
          relabelings: z.array(
            z.strictObject({
              sourceLabels: z.array(z.string()).optional(),
              targetLabel: z.string(),
              replacement: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal('PrometheusRule'),
    metadata,
    spec: z.strictObject({
      groups: z.array(
        z.strictObject({
          name: z.string(),
          rules: z.array(
            z.strictObject({
              ...{
                alert: z.string(),
                expr: z.string(),
                for: z
                  .string()
                  .regex(/^\d+[smhd]$/)
                  .optional(),
              },
              labels: z.record(z.string(), z.string()),
              annotations: z.record(z.string(), z.string()),
            }),
          ),
        }),
      ),
    }),
  }),
];

/** Wraps a value in a proxy that adds the path of each accessed property to `seen`. */
function recordAccess(value: unknown, seen: Set<string>, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inside = (key: string | number, item: unknown) => recordAccess(item, seen, `${path}/${key}`);
  const copy = Array.isArray(value)
    ? value.map((item, at) => inside(at, item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(key, item)]));
  return new Proxy(copy, {
    get(target, key) {
      seen.add(`${path}/${String(key)}`);
      return Reflect.get(target, key);
    },
  });
}

const pathsIn = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [`${path}/${key}`, ...pathsIn(item, `${path}/${key}`)])
    : [];

function faultsOf(object: KubernetesObject): string[] {
  const isSameKind = (one: { apiVersion: string; kind: string }) =>
    one.apiVersion === object.apiVersion && one.kind === object.kind;
  const model = models.find(isSameKind);
  if (!model) {
    const { error } = z.union(customResources).safeParse(object);
    return error ? [z.prettifyError(error)] : [];
  }
  const seen = new Set<string>();
  const faults: string[] = [];
  try {
    Reflect.apply(model.prototype.validate, recordAccess(object, seen), []);
  } catch (error) {
    faults.push(String(error));
  }
  // Schemas ignore unknown fields, such as misspelled ones; the API server rejects them.
  const unknown = pathsIn(object).filter((path) => !seen.has(path));
  return [...faults, ...unknown.map((path) => `${path} is not a field`)];
}

test('the check finds unknown fields and invalid values', () => {
  const deployment = (container: unknown) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'chat' },
    spec: { selector: { matchLabels: { of: 'chat' } }, template: { spec: { containers: [container] } } },
  });
  expect(faultsOf(deployment({ name: 'program', image: 'chat' }))).toEqual([]);
  expect(faultsOf(deployment({ name: 'program', imgae: 'chat' }))).toEqual([
    '/spec/template/spec/containers/0/imgae is not a field',
  ]);
  expect(faultsOf(deployment({ name: 1 }))).toEqual([expect.stringContaining('name must be string')]);
  expect(faultsOf({ ...deployment({ name: 'program' }), kind: 'Deploiment' })).not.toEqual([]);
});

(await describeWith('kubectl'))('rendered by kubectl', () => {
  test.each(['base', 'overlays/production'] as const)(
    'every object of %s is valid by the schema of its kind, without unknown fields',
    async (folder) => {
      const objects = await rendered(folder);
      const faults = objects.map((object) => [object.kind, object.metadata.name, faultsOf(object)]);
      expect(faults.filter(([, , those]) => those?.length)).toEqual([]);
    },
  );
});
