export { type ChatDeps, chatService, createChatService } from './service.ts';
