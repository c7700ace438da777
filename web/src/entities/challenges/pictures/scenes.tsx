import type { PlaceCategory } from '@wayquest/contracts';
import type { JSX } from 'react';
import { cinema, club, library, museum, stage } from './scenes/culture.tsx';
import { cafe, market, restaurant, shop } from './scenes/food.tsx';
import { beach, farm, forest, garden, harbour, mountain, park, viewpoint, water } from './scenes/nature.tsx';
import { attraction, playground, sports, zoo } from './scenes/play.tsx';
import { bridge, castle, church, house, monument, school, station, street, temple } from './scenes/town.tsx';
import type { Variation } from './variation.ts';

/**
 * The foreground of each kind of place, on a canvas of 320 by 200 with its ground at about 160; a banner shows 300 more
 * on either side. Only paths, circles and ellipses, and no opacity of groups: the renderer of shared pictures supports
 * nothing else.
 */
export const scenes: Record<PlaceCategory, (variation: Variation) => JSX.Element> = {
  park,
  garden,
  forest,
  mountain,
  viewpoint,
  water,
  beach,
  harbour,
  bridge,
  street,
  house,
  monument,
  church,
  temple,
  castle,
  museum,
  library,
  school,
  stage,
  cinema,
  club,
  restaurant,
  cafe,
  market,
  shop,
  station,
  sports,
  playground,
  zoo,
  farm,
  attraction,
};
