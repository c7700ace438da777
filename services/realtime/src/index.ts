export { createRealtimeService, type RealtimeDeps, type RealtimeTimes, realtimeService } from './service.ts';
