/**
 * The shapes that the modules of rooms share, as JSDoc types only: no code lives here.
 *
 * @typedef {import('../types.js').Board} Board
 *
 * @typedef {0 | 1 | 2 | 3} Phase lobby, countdown, running, finished
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {string} name
 * @property {boolean} ready
 * @property {boolean} connected
 *
 * A player's part in a race, as rivals see it. `ms`: the time of its end, null while it is played.
 * @typedef {object} Lane
 * @property {number} seat
 * @property {boolean} connected
 * @property {boolean} stuck no move is left
 * @property {boolean} won
 * @property {boolean} gaveUp
 * @property {boolean} left
 * @property {number} home cards on the foundations
 * @property {number} down face-down cards
 * @property {number} ranked
 * @property {number} moves
 * @property {number | null} ms
 *
 * The room as everybody in it sees it. Instants are the server's Unix milliseconds.
 * @typedef {object} Room
 * @property {'room'} kind
 * @property {string} id
 * @property {number} version
 * @property {string} code six letters
 * @property {number | null} host a seat
 * @property {boolean} locked
 * @property {number} race
 * @property {number} state a Phase
 * @property {string} letter
 * @property {string | null} game the game code, where everybody may know it
 * @property {string | null} commitment hex, where the cards are sealed
 * @property {number} limit minutes; 0 is none
 * @property {number | null} go
 * @property {number | null} started
 * @property {number | null} ends
 * @property {number | null} finished
 * @property {number | null} ending 0 all ended, 1 time limit, 2 nobody there
 * @property {Seat[]} seats
 * @property {{seat: number, name: string}[]} lanes
 *
 * @typedef {object} Standing
 * @property {number} place
 * @property {number} seat
 * @property {string} name
 * @property {number} outcome 0 won, 1 gave up, 2 left, 3 no move left, 4 out of time, 5 still playing
 * @property {number | null} ms
 * @property {number} ranked
 * @property {number} moves
 * @property {string} session
 *
 * @typedef {object} Standings
 * @property {'standings'} kind
 * @property {number} race
 * @property {number} ending
 * @property {string} game
 * @property {string | null} commitment
 * @property {Standing[]} rows
 *
 * A finished race as it is kept for the evening.
 * @typedef {object} Past
 * @property {number} race
 * @property {string} code
 * @property {{place: number, seat: number, outcome: string, ms: number | null, ranked: number, moves: number, name: string, player: string | null}[]} places
 *
 * How far a ghost was when. `steps`: milliseconds since its deal, cards home, face down, ranked score, moves, and whether no move was left.
 * @typedef {object} Ghost
 * @property {number} seat
 * @property {string} name
 * @property {string} outcome
 * @property {number} ms when its lane ended
 * @property {Readonly<[number, number, number, number, number, boolean]>[]} steps
 *
 * The ghosts of a finished race; `limit` in milliseconds.
 * @typedef {{race: number, limit: number | null, ghosts: Ghost[]}} Timeline
 *
 * A race against ghosts, from the wish on. `session`: dealt. `rows`: it is over, and these are the places; seat null is who raced later.
 * `asked`: the server was asked for the cards or the places, and what came of it is not known yet.
 * @typedef {object} GhostRace
 * @property {number} race
 * @property {Timeline | null} timeline
 * @property {string | null} session
 * @property {GhostStanding[] | null} rows
 * @property {boolean} asked
 *
 * @typedef {Omit<Standing, 'seat' | 'name'> & {seat: number | null, name: string | null}} GhostStanding
 *
 * Messages of rooms as objects (wire.js).
 * @typedef {Room
 *   | {kind: 'lanes', race: number, lanes: Lane[]}
 *   | Standings
 *   | {kind: 'closed', reason: string}
 *   | {kind: 'joined', request: Uint8Array | null, room: string, seat: number | null, session: string | null}
 *   | {kind: 'lastBoard', race: number, seat: number, board: Board}
 *   | {kind: 'evening', races: Past[]}
 *   | {kind: 'done', command: number, version: number}
 *   | {kind: 'ghosts', race: number, session: string, rows: GhostStanding[] | null}} RoomMessage
 *
 * What a race is made of: `code` null for sealed cards.
 * @typedef {{letter: string, code: string | null, limit: number}} RaceSettings
 *
 * Making or joining a room, until it is answered. `name` null: the seat's, or the player's own.
 * @typedef {{type: 'make', request: Uint8Array, name: string | null, settings: RaceSettings, sent: boolean}
 *   | {type: 'join', request: Uint8Array, name: string | null, room: string, seated: boolean, sent: boolean}} Asking
 *
 * All about the room; state.room is null when there is none. Stages: `making` a room is being made or looked for from a panel, the
 * game goes on behind it; `door` before the room, a name or another answer is wanted; `in` it; `shut` it is not open to us any more.
 * @typedef {object} RoomState
 * @property {'making' | 'door' | 'in' | 'shut'} stage
 * @property {string} at id or code of the room
 * @property {Uint8Array} request the last request id
 * @property {boolean} seated whether a seat is wanted
 * @property {Asking | null} asking
 * @property {string | null} refused why the door stays shut, a refusal's code
 * @property {string | null} reason why it was shut: left, removed, gone
 * @property {number | null} seat ours
 * @property {boolean} anew the next room message counts, whatever its version
 * @property {Room | null} room
 * @property {number} race the race that lanes, standings and boards are of
 * @property {Record<number, Lane>} lanes by seat
 * @property {Standings | null} standings
 * @property {Record<number, Board>} boards final boards by seat
 * @property {number | null} looking the seat whose final board is shown
 * @property {Past[]} evening
 * @property {number | null} removing the seat that the host is asked about
 * @property {GhostRace | null} ghosts that we race
 * @property {string | null} dropped the session against ghosts that was left last
 * @property {number | null} back the race whose ghosts this page raced before it was loaded again
 *
 * What the pages and panels of rooms ask for. `enter`: `door` from an address, else from a panel with a typed code. `ghosts`: race those
 * of a race; `ghostsOver`: its time limit is; `ghostsBack`: to the room.
 * @typedef {{type: 'enter', room: string, name?: string | null, seated?: boolean, door?: boolean, back?: number | null}
 *   | {type: 'make', name: string | null, settings: RaceSettings}
 *   | {type: 'ready', ready: boolean}
 *   | {type: 'start', force: boolean}
 *   | {type: 'change', settings: RaceSettings}
 *   | {type: 'askRemove', seat: number}
 *   | {type: 'remove', seat: number}
 *   | {type: 'lock', locked: boolean}
 *   | {type: 'seat', seated: boolean}
 *   | {type: 'rematch', same: boolean}
 *   | {type: 'look', seat: number}
 *   | {type: 'ghosts', race: number}
 *   | {type: 'ghostsOver'}
 *   | {type: 'ghostsBack'}
 *   | {type: 'copy', what: Copied}
 *   | {type: 'leave'}} RoomAction
 *
 * @typedef {'link' | 'room' | 'seal' | 'check'} Copied
 *
 * `roomCheck`: the race should not be in this phase any more, or something of it should have come. `ghosts`: how they went, or why that is not to be had.
 * @typedef {{type: 'room', action: RoomAction, request: Uint8Array}
 *   | {type: 'roomCheck', race: number, phase: number}
 *   | {type: 'ghosts', race: number, timeline: Timeline | null, failed?: 'gone' | 'failed'}} RoomEvent
 *
 * What the update of rooms asks for. `roomHome`: back to the game that was played alone. `roomCheck`: look again at a server
 * instant (null: soon). `roomWatch`: whether this page only watches, for when it is loaded again. `roomCall`: the race is about to start, or runs.
 * `roomGhosts`: fetch how they went. `roomKeep`: the race whose ghosts are raced, for when the page is loaded again.
 * @typedef {{type: 'roomHome'}
 *   | {type: 'roomCheck', race: number, phase: number, at: number | null}
 *   | {type: 'roomWatch', watching: boolean}
 *   | {type: 'roomCall', running: boolean}
 *   | {type: 'roomGhosts', room: string, race: number}
 *   | {type: 'roomKeep', room: string, race: number | null}} RoomEffect
 */

export {};
