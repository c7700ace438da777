import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { programs } from '@wayquest/local';
import { startManagement } from '@wayquest/platform/http';
import { loadSettings } from '@wayquest/platform/settings';
import { metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, testKeys } from '@wayquest/testing';
import { parse } from 'yaml';
import { z } from 'zod';
import { type KubernetesObject, rendered } from './rendered.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      build: z.unknown().optional(),
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      volumes: z.array(z.string()).default([]),
      mem_limit: z.string().optional(),
    }),
  ),
});
const compose = Compose.parse(parse(read('docker-compose.yml'), { merge: true }));
const parts = Object.entries(compose.services).flatMap(([name, { build, ...rest }]) =>
  build ? [{ name, ...rest }] : [],
);

const Labels = z.record(z.string(), z.string());
const Selector = z.strictObject({
  matchLabels: Labels.default({}),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
});
const Items = z.array(z.object({ key: z.string(), path: z.string() }));
const SecretFiles = z.object({ name: z.string(), items: Items });
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const Container = z.object({
  image: z.string(),
  envFrom: z.tuple([z.object({ configMapRef: z.object({ name: z.string() }) })]),
  env: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
    }),
  ),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.int() }) }) }),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
const Deployment = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    strategy: z.unknown(),
    selector: Selector,
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.unknown(),
        topologySpreadConstraints: z.array(z.object({ labelSelector: Selector })),
        containers: z.tuple([Container]),
        volumes: z.array(
          z.object({
            name: z.string(),
            secret: z.object({ secretName: z.string(), items: Items }).optional(),
            // Without items, all files that there are.
            configMap: z.object({ name: z.string(), items: Items.default([]) }).optional(),
            projected: z.object({ sources: z.array(z.object({ secret: SecretFiles })) }).optional(),
          }),
        ),
      }),
    }),
  }),
});
type Deployment = z.output<typeof Deployment>;

const Peer = z.strictObject({
  podSelector: Selector.optional(),
  namespaceSelector: Selector.optional(),
  ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional(),
});
const Ports = z.array(z.object({ port: z.int(), protocol: z.string().optional() }));
const NetworkPolicy = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    podSelector: Selector,
    policyTypes: z.array(z.string()),
    ingress: z.array(z.object({ from: z.array(Peer), ports: Ports.optional() })).default([]),
    egress: z.array(z.object({ to: z.array(Peer).optional(), ports: Ports.optional() })).default([]),
  }),
});

const selects = (
  { matchLabels, matchExpressions }: z.output<typeof Selector>,
  labels: z.output<typeof Labels>,
) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));

const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
};

/** Contents of the files with required settings. */
const keys = testKeys();
const fileContents: Record<string, string> = {
  MONGO_URL: 'mongodb://store',
  AMQP_URL: 'amqp://bus',
  REDIS_URL: 'redis://redis:6379',
  JWT_PRIVATE_KEY: keys.privateKey,
  JWT_PUBLIC_KEY: keys.publicKey,
};

const Values = z.record(z.string(), z.unknown());

(await describeWith('kubectl'))('what runs on Kubernetes', () => {
  let base: KubernetesObject[];
  let production: KubernetesObject[];
  let deployments: Deployment[];
  let policies: z.output<typeof NetworkPolicy>[];

  beforeAll(async () => {
    [base, production] = await Promise.all([rendered('base'), rendered('overlays/production')]);
    deployments = z.array(Deployment).parse(ofKind(base, 'Deployment'));
    policies = z.array(NetworkPolicy).parse(ofKind(base, 'NetworkPolicy'));
  });

  const ofKind = (objects: KubernetesObject[], kind: string) => objects.filter((one) => one.kind === kind);
  const objectNamed = (objects: KubernetesObject[], kind: string, name: string) =>
    required(
      ofKind(objects, kind).find(({ metadata }) => metadata.name === name),
      `${kind} ${name}`,
    );
  const deploymentOf = (part: string) =>
    Deployment.parse(objectNamed(base, 'Deployment', `wayquest-${part}`));
  const podOf = (part: string) => deploymentOf(part).spec.template;
  const programOf = (part: string) => podOf(part).spec.containers[0];

  const commonSettingsOf = (objects: KubernetesObject[]) => {
    const [{ metadata, data }] = z
      .tuple([z.object({ metadata: z.object({ name: z.string() }), data: Labels })])
      .parse(
        ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.name.startsWith('wayquest-settings')),
      );
    return { name: metadata.name, settings: data };
  };

  /** Returns the files in a pod's folder of keys, and their Secrets or ConfigMaps. */
  const keyFilesOf = (part: string) => {
    const { volumes } = podOf(part).spec;
    return programOf(part).volumeMounts.flatMap(({ name, mountPath }) => {
      const { secret, configMap, projected } = required(
        volumes.find((volume) => volume.name === name),
        `volume ${name}`,
      );
      const sources = [
        ...(secret ? [{ name: secret.secretName, items: secret.items }] : []),
        ...(configMap ? [configMap] : []),
        ...(projected?.sources.map((source) => source.secret) ?? []),
      ];
      return sources.flatMap(({ name: from, items }) =>
        items.map(({ key, path }) => ({ file: `${mountPath}/${path}`, from, key })),
      );
    });
  };

  test('contains every part that compose runs, with ownPolicies Service, disruption budget and autoscaler', () => {
    const names = parts.map(({ name }) => `wayquest-${name}`).toSorted();
    expect(parts.map(({ name }) => name).toSorted()).toEqual(programs.map(({ name }) => name).toSorted());
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'])
      expect(
        ofKind(base, kind)
          .map(({ metadata }) => metadata.name)
          .toSorted(),
      ).toEqual(names);
  });

  describe.each(parts)('$name', ({ name, image, environment, volumes, mem_limit }) => {
    test('has the same settings as in compose, all of which exist', () => {
      const known = new Set(
        [...read('infra/docs/settings.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, setting]) => setting),
      );
      const { envFrom, env } = programOf(name);
      const { name: configMap, settings } = commonSettingsOf(base);
      expect(envFrom[0].configMapRef.name).toBe(configMap);
      // Compose runs one gateway, whose sockets have nowhere to go; several have it from docker-compose.edge.yml.
      const { DRAIN_SECONDS: _, ...configured } = settings;
      for (const { name: setting, value } of env) if (value) configured[setting] = value;
      const fromSecrets = env.flatMap(({ name: setting, valueFrom }) => (valueFrom ? [setting] : []));
      expect(fromSecrets.toSorted()).toEqual(
        ['GOOGLE_CLIENT_SECRET', 'OIDC_CLIENT_SECRET', 'SMTP_URL'].filter(
          (setting) => setting in environment,
        ),
      );
      for (const setting of [
        ...Object.keys({ ...configured, ...commonSettingsOf(production).settings }),
        ...fromSecrets,
      ])
        expect(known).toContain(setting.replace(/_FILE$/, ''));

      // Where compose has volumes, for mails that are not sent and for security events, which a cluster's collector ships.
      const { DATA_DIR: __, SECURITY_LOG_DIR: ___, ...inBoth } = environment;
      const composeSettings = Object.entries(inBoth).filter(([, value]) => !value.startsWith('${'));
      expect(configured).toEqual(
        Object.fromEntries(
          composeSettings.map(([setting, value]) => [setting, value.replace('http://', 'http://wayquest-')]),
        ),
      );
    });

    test('has valid settings and the ports that they name', () => {
      const files = keyFilesOf(name).map(({ file }) => file);
      const own = programOf(name).env.map(({ name: setting, value = '' }) => {
        if (!setting.endsWith('_FILE')) return [setting, value];
        expect(files).toContain(value);
        return [setting.replace(/_FILE$/, ''), fileContents[setting.replace(/_FILE$/, '')]];
      });
      const { alone } = required(
        programs.find((program) => program.name === name),
        name,
      );
      const settings = Values.parse(
        loadSettings(alone, { ...commonSettingsOf(production).settings, ...Object.fromEntries(own) }),
      );
      const { ports } = programOf(name);
      expect(ports).toEqual([
        { name: 'http', containerPort: settings.PORT },
        { name: 'management', containerPort: settings.MANAGEMENT_PORT },
      ]);
    });

    test('mounts the same keys as in compose, from Secrets that the README lists', () => {
      const files = keyFilesOf(name);
      const folders = new Set(files.map(({ file }) => dirname(file)));
      const inCompose = volumes.map((volume) => volume.split(':')[1] ?? '');
      expect(folders).toEqual(new Set(inCompose.filter((folder) => folder.startsWith('/keys/'))));
      const variables = programOf(name).env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
      for (const { from, key } of [...files, ...variables.map(({ name: from, key }) => ({ from, key }))])
        expect(read('infra/k8s/README.md')).toMatch(
          new RegExp(`\\| \`${from.replace(`mongodb-${name}`, 'mongodb-<service>')}\` \\|.*\`${key}\``),
        );
    });

    test('is selected by ownPolicies own objects only', () => {
      const selectorOf = (kind: string) =>
        z
          .object({ spec: z.object({ selector: z.unknown() }) })
          .parse(objectNamed(base, kind, `wayquest-${name}`)).spec.selector;
      const selectedBy = (selector: unknown) =>
        deployments
          .filter(({ spec }) => selects(Selector.parse(selector), spec.template.metadata.labels))
          .map(({ metadata }) => metadata.name);
      for (const selector of [
        deploymentOf(name).spec.selector,
        selectorOf('PodDisruptionBudget'),
        { matchLabels: selectorOf('Service') },
        ...podOf(name).spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector),
      ])
        expect(selectedBy(selector)).toEqual([`wayquest-${name}`]);
      expect(objectNamed(base, 'HorizontalPodAutoscaler', `wayquest-${name}`)).toMatchObject({
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: `wayquest-${name}` },
          minReplicas: 2,
        },
      });
    });

    test('runs with the same user and limits as ownPolicies container', () => {
      const named = /^\$\{WAYQUEST_IMAGE:-(\w+)\}(-\w+):\$\{WAYQUEST_VERSION:-[\d.]+\}$/;
      expect(programOf(name).image).toBe(image.replace(named, '$1$2'));
      expect(mem_limit).toMatch(/:-1g\}$/);
      expect(programOf(name).resources.limits).toEqual({ memory: '1Gi' });
      expect(read('infra/docker/Dockerfile')).toContain('USER 1000:1000');
      // The profile `restricted` of the pod security standards.
      expect(podOf(name).spec.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(programOf(name).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    });

    test('is replaced without downtime, and has enough time to stop', () => {
      expect(deploymentOf(name).spec.strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
      const [, stopWithin] =
        /stopTimeoutMs = ([\d_]+);/.exec(read('services/shared/platform/src/process/process.ts')) ?? [];
      const seconds = Number(stopWithin?.replaceAll('_', '')) / 1_000;
      const { preStop } = programOf(name).lifecycle;
      // The gateway closes its sockets one by one, so that they do not all come back at the same moment (Q22).
      const drain = Number(commonSettingsOf(production).settings.DRAIN_SECONDS);
      expect(drain).toBeGreaterThanOrEqual(4);
      expect(podOf(name).spec.terminationGracePeriodSeconds).toBeGreaterThan(
        preStop.sleep.seconds + drain + seconds,
      );
    });

    test('can be reached only by the parts that need it, and reaches only ownPolicies dependencies', () => {
      const ownPolicies = policies.filter(({ spec }) =>
        selects(spec.podSelector, podOf(name).metadata.labels),
      );
      const namespace = (label: string) => ({
        namespaceSelector: { matchLabels: { [label]: 'true' }, matchExpressions: [] },
      });
      const allowedPeers = (port: number) =>
        ownPolicies
          .flatMap(({ spec }) => spec.ingress)
          .filter(({ ports }) => !ports || ports.some((one) => one.port === port))
          .flatMap(({ from }) => from);
      const otherParts = [
        { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'wayquest' }, matchExpressions: [] } },
      ];
      expect(allowedPeers(8080)).toEqual(name === 'gateway' ? [namespace('wayquest-ingress')] : otherParts);
      expect(allowedPeers(9090)).toEqual([namespace('wayquest-monitoring')]);
      expect(allowedPeers(22)).toEqual([]);

      const calls = ownPolicies.flatMap(({ spec }) => spec.egress);
      const portsTo = calls.flatMap(({ ports = [] }) => ports.map(({ port }) => port));
      const stores = name === 'gateway' ? [] : [27017, 5671, 5672];
      expect(new Set(portsTo)).toEqual(new Set([8080, 53, 6379, 4318, ...stores]));
      const internetSettings = ['GOOGLE_CLIENT_ID', 'SMTP_URL', 'PUSH_SERVICES', 'PHOTON_URL'];
      const needsInternet = internetSettings.some((setting) => setting in environment);
      const internet = calls.filter(({ ports }) => !ports).flatMap(({ to = [] }) => to);
      expect(internet.map(({ ipBlock }) => ipBlock?.cidr)).toEqual(
        needsInternet ? ['0.0.0.0/0', '::/0'] : [],
      );
    });
  });

  test('Redis refuses writes before it is killed (55.9)', () => {
    const { data } = z
      .object({ data: Labels })
      .parse(objectNamed(production, 'ConfigMap', 'wayquest-redis-configuration'));
    expect(objectNamed(production, 'Redis', 'wayquest-redis')).toMatchObject({
      spec: { kubernetesConfig: { resources: { limits: { memory: '512Mi' } } } },
    });
    expect(data['redis-additional.conf']).toContain(`maxmemory ${0.75 * 512}mb`);
  });

  test('spreads the stores over nodes, and lets one member at a time be evicted (55.11)', () => {
    const Spread = z.object({
      podAntiAffinity: z.object({
        requiredDuringSchedulingIgnoredDuringExecution: z.tuple([
          z.object({ labelSelector: z.object({ matchLabels: Labels }) }),
        ]),
      }),
    });
    const affinities = [
      z
        .object({
          spec: z.object({
            statefulSet: z.object({
              spec: z.object({ template: z.object({ spec: z.object({ affinity: Spread }) }) }),
            }),
          }),
        })
        .parse(objectNamed(production, 'MongoDBCommunity', 'wayquest-mongodb')).spec.statefulSet.spec.template
        .spec.affinity,
      z
        .object({ spec: z.object({ affinity: Spread }) })
        .parse(objectNamed(production, 'RabbitmqCluster', 'wayquest-rabbitmq')).spec.affinity,
    ];
    const budgets = ['wayquest-mongodb', 'wayquest-rabbitmq'].map((name) =>
      objectNamed(production, 'PodDisruptionBudget', name),
    );
    for (const [index, { podAntiAffinity }] of affinities.entries()) {
      const [{ labelSelector }] = podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      expect(budgets[index]).toMatchObject({ spec: { maxUnavailable: 1, selector: labelSelector } });
    }
  });

  test('has a pod for operators, which an upgrade does not start', () => {
    const admin = objectNamed(production, 'Deployment', 'wayquest-admin');
    expect(admin).toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/component': 'admin' } },
      spec: { replicas: 0 },
    });
    const readme = read('infra/k8s/README.md');
    expect(readme).toContain('scale deployment --selector app.kubernetes.io/component!=admin --replicas=2');
    expect(readme).toContain('scale deployment wayquest-admin --replicas=1');
  });

  test('denies traffic that no policy allows', () => {
    expect(policies).toContainEqual({
      metadata: expect.anything(),
      spec: {
        podSelector: { matchLabels: {}, matchExpressions: [] },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [],
        egress: [],
      },
    });
  });

  test('is probed at paths that respond', async () => {
    const ready = async () => true;
    const management = await startManagement({ port: 0, host: '127.0.0.1', ready });
    for (const { name } of parts) {
      const { startupProbe, livenessProbe, readinessProbe } = programOf(name);
      expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
        { path: '/healthz', port: 'management' },
        { path: '/healthz', port: 'management' },
        { path: '/readyz', port: 'management' },
      ]);
    }
    for (const path of ['/healthz', '/readyz'])
      expect((await fetch(`http://127.0.0.1:${management.port}${path}`)).status).toBe(200);
    await management.stop();
  });

  test('scales realtime by sockets, and lets the gateway reach each node', () => {
    const { spec } = z
      .object({
        spec: z.object({
          metrics: z.tuple([
            // Without an adapter for metrics there is no other.
            z.object({ type: z.literal('Resource'), resource: z.object({ name: z.literal('cpu') }) }),
            z.object({
              type: z.literal('Pods'),
              pods: z.object({ metric: z.object({ name: z.string() }) }),
            }),
          ]),
        }),
      })
      .parse(objectNamed(base, 'HorizontalPodAutoscaler', 'wayquest-realtime'));
    const metrics = metricsRegistry.getMetricsAsArray().map(({ name }) => name);
    expect(metrics).toContain(spec.metrics[1].pods.metric.name);
    expect(objectNamed(base, 'Service', 'wayquest-realtime').spec).toMatchObject({ clusterIP: 'None' });
  });

  test('uses one public URL, also in its settings, and one version', () => {
    const { settings } = commonSettingsOf(production);
    const host = new URL(settings.PUBLIC_URL ?? '').hostname;
    expect(objectNamed(production, 'Ingress', 'wayquest')).toMatchObject({
      spec: {
        tls: [{ hosts: [host] }],
        rules: [
          {
            host,
            http: { paths: [{ backend: { service: { name: 'wayquest-gateway', port: { name: 'http' } } } }] },
          },
        ],
      },
    });
    expect(Number(settings.TRUSTED_PROXIES)).toBeGreaterThan(0);
    const images = z
      .array(Deployment)
      .parse(ofKind(production, 'Deployment').filter(({ metadata }) => metadata.name !== 'wayquest-admin'))
      .map(({ spec }) => spec.template.spec.containers[0].image);
    const [version] = images.map((image) => image.split(':')[1]);
    expect(images.toSorted()).toEqual(
      parts.map(({ name }) => `registry.example/wayquest-${name}:${version}`).toSorted(),
    );
  });

  test('finds the stores by the Secrets that their operators write', () => {
    const { spec } = z
      .object({
        spec: z.object({
          users: z.array(
            z.object({
              name: z.string(),
              passwordSecretRef: z.object({ key: z.string() }),
              connectionStringSecretName: z.string(),
              roles: z.tuple([z.object({ name: z.string(), db: z.string() })]),
              additionalConnectionStringConfig: z.object({ authSource: z.literal('admin') }),
            }),
          ),
        }),
      })
      .parse(objectNamed(production, 'MongoDBCommunity', 'wayquest-mongodb'));
    const [, ...ofServices] = spec.users;
    // Each service only reaches its own database (55.11).
    expect(ofServices.map((user) => user.name)).toEqual(serviceNames);
    for (const { name, passwordSecretRef, connectionStringSecretName, roles } of ofServices) {
      expect(passwordSecretRef.key).toBe(name);
      expect(roles).toEqual([{ name: 'readWrite', db: `wayquest_${name}` }]);
      expect(keyFilesOf(name).map(({ from }) => from)).toContain(connectionStringSecretName);
      expect(read('infra/k8s/README.md')).toMatch(
        new RegExp(`^for user in admin .*\\b${name}\\b.*; do$`, 'm'),
      );
    }
    const sources = keyFilesOf('users').map(({ from }) => from);
    const [rabbitMq] = ofKind(production, 'RabbitmqCluster');
    expect(sources).toContain(`${rabbitMq?.metadata.name}-default-user`);
    expect(objectNamed(production, 'Redis', 'wayquest-redis').spec).toMatchObject({
      kubernetesConfig: { redisSecret: { name: 'wayquest-redis' } },
    });
    expect(sources).toContain('wayquest-redis');
  });
});
