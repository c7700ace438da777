export { createFriendsService, type FriendsDeps } from './service.ts';
