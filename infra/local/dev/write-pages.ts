import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { limitsPage } from './limits-page.ts';
import { settingsPage } from './settings-page.ts';

const docs = resolve(import.meta.dirname, '../../docs');
writeFileSync(resolve(docs, 'settings.md'), settingsPage());
writeFileSync(resolve(docs, 'limits.md'), limitsPage());
