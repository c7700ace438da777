import { onStore } from '../store.ts';

await onStore('embedded-store');
