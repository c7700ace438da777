import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { limitsPage, settingsPage } from './pages.ts';

const docs = resolve(import.meta.dirname, '../../docs');
writeFileSync(resolve(docs, 'settings.md'), settingsPage());
writeFileSync(resolve(docs, 'limits.md'), limitsPage());
