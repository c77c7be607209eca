import { memoryStore } from '../../src/index.ts';
import { storeContract } from './store-contract.ts';

storeContract((openTimeout) => Promise.resolve(memoryStore({ pageSize: 2, openTimeout })));
