import { placeCategories, placeCategoryOf } from '@wayquest/contracts';

const at = (locationName: string) => placeCategoryOf({ name: '', locationName });

/** A place of each place category, named in both languages. */
const places = {
  park: ['Kissena Park', '中山公园'],
  garden: ['Queens Botanical Garden', '北京植物园'],
  forest: ['Epping Forest', '国家森林'],
  mountain: ['Storm King Mountain', '香山'],
  viewpoint: ['Hudson River Overlook', '江边观景台'],
  water: ['Alley Pond', '昆明湖'],
  beach: ['Rockaway Beach', '金色沙滩'],
  harbour: ['City Island Marina', '十六铺码头'],
  bridge: ['Hell Gate Bridge', '卢沟桥'],
  street: ['Prince Street', '南京路步行街'],
  house: ['Bowne House', '鲁迅故居'],
  monument: ['Statue of Liberty', '人民广场'],
  church: ['St. Mary’s', '圣母大教堂'],
  temple: ['Ganesh Temple', '雍和宫'],
  castle: ['Fort Totten', '八达岭长城'],
  museum: ['Museum of the Moving Image', '上海博物館'],
  library: ['Queens Public Library at Flushing', '法拉盛圖書館'],
  school: ['Queens College', '北京大学'],
  stage: ['Carnegie Concert Hall', '国家大剧院'],
  cinema: ['Kew Gardens Cinemas', '大光明电影院'],
  club: ['Terraza 7 Jazz Club', '街角酒吧'],
  restaurant: ['Bryant Park Food Court', '兰州拉面馆'],
  cafe: ['Corner Café', '公园里的咖啡馆'],
  market: ['Queens Night Market', '东门菜市场'],
  shop: ['Skyview Mall', '新华商店'],
  station: ['Flushing–Main Street Station', '北京南站'],
  sports: ['Louis Armstrong Stadium', '工人体育场'],
  playground: ['Bowne Playground', '儿童乐园'],
  zoo: ['Central Park Zoo', '上海动物园'],
  farm: ['Queens County Farm', '阳光农场'],
  attraction: ['Forest Park Carousel', '天空摩天轮'],
} as const;

test.each(placeCategories)(
  'the place category %s is recognized by place names in both languages',
  (placeCategory) => {
    const [english, chinese] = places[placeCategory];
    expect([at(english), at(chinese)]).toEqual([placeCategory, placeCategory]);
  },
);

test.each([
  ['The Barclay', 'attraction'],
  ['世博轴', 'attraction'],
  ['Churches', 'church'],
  ['Queens Public Libraries', 'library'],
  ['41-17 Main St', 'street'],
  ['movie theater', 'cinema'],
  ['上海路', 'street'],
])('the place category of the place %s is %s', (locationName, placeCategory) => {
  expect(at(locationName)).toBe(placeCategory);
});

test.each([
  ['Dumplings for two', 'Prince Street', 'restaurant'],
  ['Street of lamps', '', 'street'],
  ['Count the windows of St George', '', 'church'],
  ['Read a book in the park', '', 'park'],
  ['图书馆里读书', '', 'library'],
  ['在桥上看河', '', 'bridge'],
])(
  'the challenge’s name determines the place category if the place’s name does not: %s, %s',
  (name, locationName, placeCategory) => {
    expect(placeCategoryOf({ name, locationName })).toBe(placeCategory);
  },
);
