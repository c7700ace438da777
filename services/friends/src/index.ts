export { createFriendsService, type FriendsDeps, friendsService } from './service.ts';
