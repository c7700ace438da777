export { createRealtimeService, type RealtimeDeps } from './service.ts';
