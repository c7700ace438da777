// Bundles the compiled all-in-one.
import { join } from 'node:path';
import { traced, writeBundles } from '../docker/bundle.mjs';

const folder = join(import.meta.dirname, 'dist');
await writeBundles({ bundle: traced(join(folder, 'main.js')) }, folder);
