import type { ChallengeDetails } from './challenges.ts';
import { type PlaceCategory, placeCategories } from './place-categories.ts';

/**
 * Words for kinds of places, without accents and in the singular; Chinese in simplified characters. A change needs a
 * migration of the challenges service, so that older challenges are classified again.
 */
const keywordsByCategory: Record<PlaceCategory, string> = {
  park: 'park meadow lawn picnic parkland greenway 公园 绿地 草坪 草地 野餐 长椅',
  garden:
    'garden botanical arboretum greenhouse flower rose bloom blossom orchid tulip allotment 花园 植物园 园林 温室 花卉 玫瑰 樱花 牡丹 庭院 赏花 鲜花 花海',
  forest:
    'forest wood woodland grove jungle refuge tree leaf mushroom birdwatching wildlife preserve 森林 树林 林 树 树叶 落叶 枫叶 红叶 竹林 保护区',
  mountain:
    'mountain mount hill peak summit cliff canyon valley glacier volcano trail trailhead hike ridge cave rock 山 峰 山顶 山峰 山谷 峡谷 悬崖 步道 登山 洞',
  viewpoint:
    'viewpoint view lookout overlook panorama observatory skyline observation rooftop terrace sunset sunrise tower skyscraper 观景台 观景 瞭望 天文台 天台 塔 日落 日出 风景 全景 夕阳 大厦',
  water:
    'water river lake pond creek stream brook canal waterfall reservoir wetland marsh swamp riverside riverbank lakeside waterfront bay boardwalk 河 江 湖 池 溪 泉 瀑布 水库 湿地 运河 池塘 湾 河边 河畔 湖畔 水边',
  beach:
    'beach shore coast seaside sand dune ocean sea surf swim cove lagoon island 海滩 沙滩 海边 岛 冲浪 海水浴场 大海 看海 海岸',
  harbour:
    'harbour harbor port pier dock wharf marina ferry lighthouse boathouse boat ship sail sailing jetty quay 港口 码头 灯塔 渡口 渡轮 船 帆船 海港 渔港',
  bridge: 'bridge viaduct footbridge aqueduct overpass crossing skybridge 桥 大桥 天桥 立交桥 高架桥 石桥',
  street:
    'street road avenue boulevard lane alley highway parkway promenade broadway sidewalk crosswalk neighborhood neighbourhood chinatown district mural graffiti 街 路 大道 巷 胡同 街道 马路 小巷 步行街 唐人街 大街 路口 街区 lamp 路灯 弄堂',
  house:
    'house cottage mansion villa manor homestead residence apartment cabin lodge hotel hostel inn 房子 住宅 故居 别墅 民居 旅馆 酒店 宾馆 小屋 客栈 老宅',
  monument:
    'monument memorial statue obelisk plaza square arch column cemetery sculpture landmark piazza 纪念碑 纪念馆 雕像 雕塑 广场 牌坊 铜像 喷泉 凯旋门 陵园 墓 地标 fountain',
  church:
    'church cathedral chapel basilica abbey minster monastery convent parish steeple saint 教堂 大教堂 礼拜堂 修道院 圣母堂',
  temple:
    'temple shrine pagoda mosque synagogue buddhist buddha stupa gurdwara mandir zen 寺 庙 寺庙 寺院 祠 佛 清真寺 宫 道观 神社 宝塔 孔庙',
  castle:
    'castle fort fortress palace citadel ruin wall battlement chateau gate dungeon knight 城堡 要塞 古堡 宫殿 皇宫 故宫 城墙 长城 遗址 堡垒 城门 炮台',
  museum:
    'museum gallery science exhibit exhibition studio art artwork painting planetarium dinosaur 博物馆 美术馆 展览 展览馆 画廊 科技馆 科学馆 艺术馆 工作室 天文馆 看展',
  library:
    'library bookshop bookstore archive book reading author novel 图书馆 书店 阅览室 档案馆 书屋 书局 阅读 读书 书 诗',
  school:
    'school university college campus academy institute kindergarten classroom lecture student 学校 大学 学院 中学 小学 校园 幼儿园 教室',
  stage:
    'theatre theater opera concert stage playhouse ballet philharmonic orchestra amphitheater amphitheatre musical symphony auditorium circus comedy 剧院 大剧院 剧场 音乐厅 音乐会 歌剧院 舞台 戏院 演出 大会堂 马戏 京剧 看戏 戏曲',
  cinema:
    'cinema movie multiplex film imax popcorn cineplex 电影院 影院 电影 影城 影片 电影宫 movie_theater movie_theatre drive_in',
  club: 'club bar pub jazz disco night nightclub nightlife brewery karaoke cocktail tavern dance dancing taproom beer wine 酒吧 夜店 俱乐部 夜总会 舞厅 爵士 啤酒 鸡尾酒 跳舞 迪厅 卡拉 酒馆',
  restaurant:
    'restaurant diner food kitchen pizza pizzeria noodle dumpling taco eat grill bistro steakhouse sushi ramen burger bbq barbecue lunch dinner cuisine eatery deli buffet canteen cantina trattoria soup 餐厅 饭店 餐馆 饭馆 食堂 面馆 火锅 饺子 面条 披萨 小吃 美食 烧烤 吃 饭 午餐 晚餐 酒楼 寿司 拉面 吃面 food_court',
  cafe: 'cafe coffee coffeehouse espresso tea teahouse bakery pastry croissant cake dessert donut doughnut brunch gelato icecream roastery patisserie 咖啡 咖啡馆 咖啡厅 咖啡店 茶 茶馆 茶室 奶茶 面包 面包店 蛋糕 甜品 甜点 冰淇淋 ice_cream',
  market:
    'market bazaar fair stall farmstand flea grocer grocery greenmarket fruit vegetable 市场 集市 菜市场 夜市 早市 市集 庙会 超市 菜场 水果 摊',
  shop: 'shop store mall boutique outlet shopping supermarket emporium florist barber salon thrift antique 商店 商场 店 购物中心 百货 小店 铺 花店 百货公司 购物 专卖店',
  station:
    'station train railway railroad subway metro tram terminal airport bus depot platform locomotive 站 车站 火车站 地铁站 地铁 火车 铁路 机场 巴士 公交 电车 候车 月台 公交站 飞机 航站楼',
  sports:
    'stadium arena gym field ballpark rink sport football soccer basketball tennis baseball pool skate skatepark golf velodrome yoga run running marathon bowling climbing ymca cricket fitness 体育场 体育馆 球场 足球 篮球 网球 健身 健身房 运动场 游泳馆 泳池 跑步 滑冰 滑板 操场 乒乓 羽毛球 溜冰场 basketball_court tennis_court skate_park',
  playground:
    'playground swing slide sandbox seesaw treehouse children 游乐场 儿童乐园 滑梯 秋千 沙坑 儿童 小朋友 kid',
  zoo: 'zoo animal aquarium safari aviary menagerie giraffe elephant lion tiger monkey penguin panda 动物园 水族馆 海洋馆 动物 熊猫 长颈鹿 大象 猴 狮子 老虎 企鹅 海洋世界',
  farm: 'farm barn ranch orchard vineyard windmill mill winery countryside village harvest pumpkin stable cow sheep horse 农场 农庄 牧场 果园 葡萄园 风车 田 村 农田 稻田 乡村 村庄 马场 麦田 corn_field wheat',
  attraction:
    'carousel coaster ferris amusement funfair fairground tourist_attraction 旋转木马 摩天轮 游乐园 过山车 景点 景区',
};

/** Characters of place names in traditional Chinese, each before its simplified one. */
const traditional =
  '園园館馆圖图書书橋桥電电場场術术戲戏劇剧廣广學学車车飯饭廳厅樂乐遊游藝艺動动燈灯島岛灣湾農农莊庄馬马鐵铁機机廟庙宮宫觀观長长樹树葉叶綠绿紀纪銅铜閱阅檔档賞赏攤摊鋪铺購购麵面麥麦風风濕湿庫库運运會会禮礼體体籃篮網网獅狮兒儿樓楼臺台';

interface Guesser {
  /** Matches candidates: words, and text without spaces. */
  tokens: RegExp;
  categoryByWord: ReadonlyMap<string, PlaceCategory>;
  simplified: ReadonlyMap<string, string>;
}

function newGuesser(): Guesser {
  const categoryByWord = new Map<string, PlaceCategory>();
  const unspaced: string[] = [];
  for (const placeCategory of placeCategories) {
    for (const word of keywordsByCategory[placeCategory].split(' ').map((each) => each.replace('_', ' '))) {
      categoryByWord.set(word, placeCategory);
      if (!/^[a-z]+$/.test(word)) unspaced.push(word);
    }
  }
  const longestFirst = unspaced.sort((one, other) => other.length - one.length);
  return {
    tokens: new RegExp(`${longestFirst.join('|')}|[a-z]+`, 'g'),
    categoryByWord,
    simplified: new Map(
      traditional.match(/../g)?.map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
    ),
  };
}

let cachedGuesser: Guesser | undefined;
/** Created on first use: most importers never use it. */
function guesser(): Guesser {
  cachedGuesser ??= newGuesser();
  return cachedGuesser;
}

/** The kind of the last word that names one: a botanical garden, a park museum, 公园咖啡馆. */
function guessCategory(text: string): PlaceCategory | undefined {
  const { tokens, categoryByWord } = guesser();
  return text
    .match(tokens)
    ?.map((word) =>
      [
        word,
        word.replace(/ies$/, 'y'),
        word.replace(/s$/, ''),
        word.replace(/es$/, ''),
        word.replace(/ves$/, 'f'),
      ]
        .map((form) => categoryByWord.get(form))
        .find(Boolean),
    )
    .findLast(Boolean);
}

/** Lower case without accents, simplified characters, and 'St.' as saint or street. */
const normalize = (text: string) => {
  const { simplified } = guesser();
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\p{Script=Han}/gu, (letter) => simplified.get(letter) ?? letter)
    .replace(/(^|\bof )(?:st(?:\. ?| )(?=[a-z])|sankt )/, '$1saint ')
    .replace(/\bst\b/g, 'street');
};

/** The kind of the first part of a text that names one. */
const firstGuess = (text: string, parts: RegExp) =>
  normalize(text).split(parts).map(guessCategory).find(Boolean);

type Words = Pick<ChallengeDetails, 'name' | 'locationName'>;

/**
 * Guesses the kind of a challenge's place from its texts, in English and Chinese. The name of the place counts first, unless it
 * is only an address.
 */
export const placeCategoryByWords = ({ name, locationName }: Words): PlaceCategory => {
  const place = firstGuess(locationName, /\b(?:of|at|in|by|on|near|for)\b|里(?!的)|上/);
  const address = place === 'street';
  return (address ? undefined : place) ?? firstGuess(name, /\bof\b|里(?!的)|上/) ?? place ?? 'attraction';
};

/** The kind of a challenge's place: as its creator chose, or guessed from its texts. */
export const placeCategoryOf = ({
  placeCategory,
  ...words
}: Words & { placeCategory?: PlaceCategory | undefined }): PlaceCategory =>
  placeCategory ?? placeCategoryByWords(words);
