export { createRealtimeService, type RealtimeDeps, type RealtimeTimes } from './service.ts';
