// Lists of characters, as `from to|from to|…`; the package has no types for them.
declare module 'opencc-js/dict/HKVariantsRev' {
  const characters: string;
  export default characters;
}
declare module 'opencc-js/dict/JPShinjitaiCharacters' {
  const characters: string;
  export default characters;
}
declare module 'opencc-js/dict/TSCharacters' {
  const characters: string;
  export default characters;
}
declare module 'opencc-js/dict/TWVariantsRev' {
  const characters: string;
  export default characters;
}
