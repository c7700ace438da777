import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { limitsPage, rulesManifest, settingsPage } from './pages.ts';

const infra = resolve(import.meta.dirname, '../..');
writeFileSync(resolve(infra, 'docs/settings.md'), settingsPage());
writeFileSync(resolve(infra, 'docs/limits.md'), limitsPage());
writeFileSync(resolve(infra, 'k8s/monitoring/rules.yaml'), rulesManifest());
