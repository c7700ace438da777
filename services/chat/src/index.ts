export { type ChatDeps, createChatService } from './service.ts';
