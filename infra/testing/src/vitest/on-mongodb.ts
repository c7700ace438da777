import { onStore } from '../store.ts';

await onStore('mongodb');
