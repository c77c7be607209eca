export { turnEndText as remarkOn } from '@turnwire/client/view';
