import { authService } from '@wayquest/auth';
import { challengesService } from '@wayquest/challenges';
import { chatService } from '@wayquest/chat';
import type { HttpServiceName } from '@wayquest/contracts';
import { friendsService } from '@wayquest/friends';
import { gatewayProcessSettings, gatewaySettings } from '@wayquest/gateway';
import { moderationService } from '@wayquest/moderation';
import { notificationsService } from '@wayquest/notifications';
import { participationService } from '@wayquest/participation';
import { placesService } from '@wayquest/places';
import { ownProcessSettings, type ServiceDefinition } from '@wayquest/platform/service';
import { traceSettings } from '@wayquest/platform/settings';
import { realtimeService } from '@wayquest/realtime';
import { usersService } from '@wayquest/users';
import type { z } from 'zod';

/** A program that can have its own process, with its settings. */
export interface Program {
  name: string;
  alone: z.ZodType;
  always: z.ZodType;
}

const ofService = <Settings, Dependency extends HttpServiceName, Tuning>(
  service: ServiceDefinition<Settings, Dependency, Tuning>,
): Program => ({
  name: service.name,
  alone: ownProcessSettings(service),
  always: service.settings.and(traceSettings),
});

export const programs: Program[] = [
  { name: 'gateway', alone: gatewayProcessSettings, always: gatewaySettings.and(traceSettings) },
  ofService(authService),
  ofService(usersService),
  ofService(challengesService),
  ofService(participationService),
  ofService(friendsService),
  ofService(chatService),
  ofService(notificationsService),
  ofService(moderationService),
  ofService(placesService),
  ofService(realtimeService),
];
