import { memoryStore } from '../../src/index.ts';
import { storeContract } from './store-contract.ts';

storeContract(() => Promise.resolve(memoryStore({ pageSize: 2 })));
