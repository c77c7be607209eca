export { type CharacterContext, isExpected, isVariantOfEmoji, unseen } from './unseen-characters.ts';
