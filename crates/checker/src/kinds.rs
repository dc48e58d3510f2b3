//! Everything that can be found, with what to do about it. `docs/check.md` explains the same table at length.

use games::Phrase;

use crate::finding::{Kind, Severity};

/// Makes a kind; its texts come as English and Chinese pairs.
const fn kind(code: &'static str, severity: Severity, title: Phrase, expected: Phrase, mend: Phrase) -> Kind {
    Kind { code, severity, title, expected, mend }
}

use Severity::{Error, Note, Warning};

/// There is no such program, or it may not be run.
pub static NOT_FOUND: Kind = kind(
    "not-found",
    Error,
    Phrase::new("the engine cannot be started", "无法启动引擎"),
    Phrase::new("a program that can be run", "可以运行的程序"),
    Phrase::new(
        "check the path and the permissions (chmod +x); put `./` before a program in this folder; write arguments after it",
        "检查路径与可执行权限（chmod +x）；当前目录下的程序请写 ./程序名；参数写在其后",
    ),
);
/// It left before it was ready.
pub static EXITS_AT_START: Kind = kind(
    "exits-at-start",
    Error,
    Phrase::new("the engine leaves before it is ready", "引擎在就绪前就退出了"),
    Phrase::new("a program that reads commands until it is told to leave", "引擎应循环读取命令，直到收到退出命令"),
    Phrase::new(
        "start it by hand and see what it says; read commands in a loop: while (fgets(line, sizeof line, stdin)) …",
        "在终端手动运行看看输出；用循环读取命令：while (fgets(line, sizeof line, stdin)) …",
    ),
);
/// It takes long to become ready.
pub static SLOW_START: Kind = kind(
    "slow-start",
    Warning,
    Phrase::new("the engine is slow to start", "引擎启动太慢"),
    Phrase::new("an answer to the first message within 2 seconds", "2 秒内回应第一条消息"),
    Phrase::new(
        "answer first, then load tables and weights (or load them while the opponent thinks)",
        "先回应，再加载数据表和权重（或在对方思考时加载）",
    ),
);
/// It never became ready.
pub static NO_HANDSHAKE: Kind = kind(
    "no-handshake",
    Error,
    Phrase::new("the engine does not answer the first message", "引擎没有回应第一条消息"),
    Phrase::new("an answer within the start-up limit", "在启动时限内回应"),
    Phrase::new(
        "compare the whole command word, not the line with its line end (strip \\r and \\n); choose the right game and --protocol",
        "比较命令字时先去掉行尾的 \\r 和 \\n；确认棋种与 --protocol 正确",
    ),
);
/// Its output lacks a newline.
pub static NO_NEWLINE: Kind = kind(
    "no-newline",
    Error,
    Phrase::new("the engine's output has no newline at its end", "引擎输出的末尾没有换行符"),
    Phrase::new("every answer ends with a newline", "每条回应都以换行符结尾"),
    Phrase::new(
        "write the newline and flush: printf(\"%s\\n\", answer); fflush(stdout);  in C++ std::endl does both",
        "输出换行并刷新：printf(\"%s\\n\", answer); fflush(stdout);  C++ 中 std::endl 两者兼有",
    ),
);
/// Its output stays in its buffer.
pub static NOT_FLUSHED: Kind = kind(
    "not-flushed",
    Error,
    Phrase::new("the engine's output arrives only when it exits", "引擎的输出直到退出时才出现"),
    Phrase::new("every answer is flushed at once", "每条回应都立即刷新输出缓冲区"),
    Phrase::new(
        "call fflush(stdout) after each printf, or once at the start setvbuf(stdout, NULL, _IONBF, 0); in Python print(…, flush=True)",
        "每次 printf 后调用 fflush(stdout)，或在程序开头调用 setvbuf(stdout, NULL, _IONBF, 0)；Python 用 print(…, flush=True)",
    ),
);
/// It writes what is no message.
pub static NOISE: Kind = kind(
    "noise",
    Warning,
    Phrase::new("the engine writes lines that are no messages", "引擎输出了协议之外的内容"),
    Phrase::new("nothing but messages of the protocol on stdout", "标准输出上只有协议消息"),
    Phrase::new(
        "print debug text to stderr: fprintf(stderr, …); Gomocup has MESSAGE and DEBUG, Tiaojia has DEBUG",
        "调试信息请输出到标准错误：fprintf(stderr, …)；Gomocup 可用 MESSAGE、DEBUG，挑夹棋可用 DEBUG",
    ),
);
/// It writes bytes that are not UTF-8.
pub static NOT_UTF8: Kind = kind(
    "not-utf8",
    Note,
    Phrase::new("the engine writes text that is not UTF-8 (perhaps GBK)", "引擎输出的文本不是 UTF-8（可能是 GBK）"),
    Phrase::new("UTF-8, or plain ASCII", "UTF-8 或纯 ASCII"),
    Phrase::new(
        "boyi reads GBK too, others show garbage: save the source as UTF-8 (gcc -fexec-charset=UTF-8, cl /utf-8), or use an ASCII name",
        "boyi 也能读 GBK，但其他平台会显示乱码：源文件存为 UTF-8（gcc -fexec-charset=UTF-8，cl /utf-8），或使用 ASCII 名称",
    ),
);
/// Its ply is illegal, off the board or malformed.
pub static BAD_MOVE: Kind = kind(
    "bad-move",
    Error,
    Phrase::new("the engine's move is against the rules", "引擎的着法不符合规则"),
    Phrase::new("a legal move in the notation of the protocol", "按协议记法写出的合法着法"),
    Phrase::new(
        "replay the game with `boyi play … --log FILE`; look at the order of x and y, letters from A, and whether the opponent's move was applied",
        "用 boyi play … --log FILE 重现对局；检查横纵坐标顺序、字母是否从 A 开始、是否落实了对方着法",
    ),
);
/// It plays when it is not its turn.
pub static OUT_OF_TURN: Kind = kind(
    "out-of-turn",
    Warning,
    Phrase::new("the engine speaks when nothing was asked", "引擎在未被询问时输出"),
    Phrase::new("silence until the referee asks for a move", "在裁判要求行棋之前保持安静"),
    Phrase::new(
        "as White wait for the first move message; do not move on `new white`, `accept`, `take`, PLACE or INFO",
        "执白时等待第一条行棋消息；收到 new white、accept、take、PLACE、INFO 时不要行棋",
    ),
);
/// It answers twice.
pub static TWO_ANSWERS: Kind = kind(
    "two-answers",
    Error,
    Phrase::new("the engine answers one request twice", "引擎对一次请求给出了两个回应"),
    Phrase::new("one answer for each request", "每次请求只回应一次"),
    Phrase::new(
        "print the move in one place only; the second answer is dropped here and taken as the next move elsewhere",
        "只在一处输出着法；多余的回应在这里会被丢弃，在其他平台会被当作下一着",
    ),
);
/// No answer in time.
pub static TIME: Kind = kind(
    "time",
    Error,
    Phrase::new("the engine does not answer in time", "引擎没有在时限内回应"),
    Phrase::new("a move within --ply-time", "在 --ply-time 时限内给出着法"),
    Phrase::new(
        "stop the search by the clock, not by depth; if it hangs, attach a debugger: gdb -p PID. Give more with --ply-time",
        "按时钟而不是按深度结束搜索；若程序卡死可用 gdb -p PID 查看；也可用 --ply-time 放宽时限",
    ),
);
/// It does not answer `error`.
pub static IGNORES_ERROR: Kind = kind(
    "ignores-error",
    Warning,
    Phrase::new("the engine does not answer `error` with another move", "引擎收到 error 后没有重新给出着法"),
    Phrase::new("another `move` after `error`", "收到 error 后再次发送 move"),
    Phrase::new(
        "on `error` take the last move back, choose another and print it; otherwise the clock runs out",
        "收到 error 时撤销上一着，另选一着并输出；否则会耗尽时间判负",
    ),
);
/// It leaves at the end of a game.
pub static EXITS_ON_END: Kind = kind(
    "exits-on-end",
    Warning,
    Phrase::new("the engine exits at the end of a game", "引擎在一局结束时退出"),
    Phrase::new("the engine waits for the next game, or for the farewell", "等待下一局或退出命令"),
    Phrase::new(
        "at the end of a game only reset the state; leave on `quit` and at the end of input",
        "一局结束时只重置状态；收到 quit 或输入结束时才退出",
    ),
);
/// It does not leave when told to.
pub static IGNORES_QUIT: Kind = kind(
    "ignores-quit",
    Warning,
    Phrase::new("the engine does not exit when told to", "引擎收到退出命令后没有退出"),
    Phrase::new("the process exits within one second of the farewell", "收到退出命令后 1 秒内退出"),
    Phrase::new(
        "return from main on `quit` (SAU) or END (Gomocup); stop search threads first",
        "收到 quit（SAU）或 END（Gomocup）时从 main 返回；先结束搜索线程",
    ),
);
/// It stays when its input ends.
pub static IGNORES_EOF: Kind = kind(
    "ignores-eof",
    Warning,
    Phrase::new("the engine stays when its input is closed", "输入关闭后引擎没有退出"),
    Phrase::new("the process exits when stdin ends", "标准输入结束时退出"),
    Phrase::new(
        "test what reading returns: if (scanf(\"%s\", word) != 1) return 0;  if (!fgets(line, sizeof line, stdin)) return 0;",
        "检查读取函数的返回值：if (scanf(\"%s\", word) != 1) return 0;  if (!fgets(line, sizeof line, stdin)) return 0;",
    ),
);
/// It floods when its input ends.
pub static FLOODS_ON_EOF: Kind = kind(
    "floods-on-eof",
    Warning,
    Phrase::new("the engine floods its output when its input is closed", "输入关闭后引擎不停输出"),
    Phrase::new("the process exits quietly when stdin ends", "标准输入结束时安静退出"),
    Phrase::new(
        "a failed scanf leaves the last command in place and the loop runs it again: if (scanf(\"%s\", word) != 1) return 0;",
        "scanf 失败时变量仍是上一条命令，循环会反复执行它：if (scanf(\"%s\", word) != 1) return 0;",
    ),
);
/// A second game in the same process goes wrong.
pub static SECOND_GAME_FAILS: Kind = kind(
    "second-game-fails",
    Warning,
    Phrase::new("a second game in the same process goes wrong", "同一进程中的第二局出错"),
    Phrase::new("a second game as good as the first", "第二局与第一局同样正常"),
    Phrase::new(
        "reset everything at the start of a game: board, side, move counters, hash table, search state",
        "开局时重置全部状态：棋盘、执子方、步数、置换表、搜索状态",
    ),
);
/// Killed by a signal.
pub static CRASHES: Kind = kind(
    "crashes",
    Error,
    Phrase::new("the engine crashes", "引擎崩溃"),
    Phrase::new("a process that lives until it is told to leave", "引擎应运行到收到退出命令为止"),
    Phrase::new(
        "build with -g -fsanitize=address,undefined and run the check again: it names the line. Index errors are the usual cause",
        "用 -g -fsanitize=address,undefined 编译后再检查，会指出出错行；最常见的是数组越界",
    ),
);
/// It leaves in the middle of a game.
pub static EXITS_IN_GAME: Kind = kind(
    "exits-in-game",
    Error,
    Phrase::new("the engine leaves in the middle of a game", "引擎在对局中途退出"),
    Phrase::new("a process that lives until the game is over", "引擎应运行到对局结束"),
    Phrase::new(
        "look for return and exit() on the path of this message; an unknown message is to be ignored",
        "检查处理该消息时的 return 和 exit()；不认识的消息应忽略",
    ),
);
/// It writes without end in a game.
pub static FLOODS: Kind = kind(
    "floods",
    Error,
    Phrase::new("the engine writes without end", "引擎不停输出"),
    Phrase::new("at most 16 MiB of output in a game", "一局输出不超过 16 MiB"),
    Phrase::new("look for a loop that prints without reading", "检查只输出、不读取输入的循环"),
);
/// ABOUT is not answered.
pub static ABOUT_UNANSWERED: Kind = kind(
    "about-unanswered",
    Warning,
    Phrase::new("ABOUT is not answered", "没有回应 ABOUT"),
    Phrase::new(
        "name=\"…\", version=\"…\", author=\"…\", country=\"…\"",
        "name=\"…\", version=\"…\", author=\"…\", country=\"…\"",
    ),
    Phrase::new(
        "answer ABOUT: printf(\"name=\\\"MyBrain\\\", version=\\\"1.0\\\", author=\\\"Me\\\", country=\\\"CN\\\"\\n\")",
        "回应 ABOUT：printf(\"name=\\\"MyBrain\\\", version=\\\"1.0\\\", author=\\\"Me\\\", country=\\\"CN\\\"\\n\")",
    ),
);
/// RESTART is not known.
pub static RESTART_UNKNOWN: Kind = kind(
    "restart-unknown",
    Note,
    Phrase::new("RESTART is not known", "不支持 RESTART"),
    Phrase::new("OK, and an empty board of the same size", "回复 OK，并清空同样大小的棋盘"),
    Phrase::new(
        "clear the board and print OK; without it the brain is loaded anew for each game",
        "清空棋盘并输出 OK；否则每局都要重新加载引擎",
    ),
);
/// TAKEBACK is not known.
pub static TAKEBACK_UNKNOWN: Kind = kind(
    "takeback-unknown",
    Note,
    Phrase::new("TAKEBACK is not known", "不支持 TAKEBACK"),
    Phrase::new("OK, and the stone is off the board", "回复 OK，并移去该棋子"),
    Phrase::new(
        "remove the stone at X,Y and print OK; without it the whole board is sent again",
        "移去 X,Y 处的棋子并输出 OK；否则悔棋时要重新发送整个棋盘",
    ),
);
/// BOARD is not understood.
pub static BOARD_UNSUPPORTED: Kind = kind(
    "board-unsupported",
    Warning,
    Phrase::new("BOARD … DONE is not answered with a move", "收到 BOARD … DONE 后没有给出着法"),
    Phrase::new("a move X,Y after DONE", "收到 DONE 后回复 X,Y"),
    Phrase::new(
        "read lines X,Y,FIELD until DONE (1 own stone, 2 the opponent's), then move; openings, undo and resume need it",
        "逐行读取 X,Y,FIELD 直到 DONE（1 为己方，2 为对方），然后行棋；开局、悔棋、续局都需要它",
    ),
);
/// RECTSTART is not answered.
pub static RECTSTART_UNANSWERED: Kind = kind(
    "rectstart-unanswered",
    Note,
    Phrase::new("RECTSTART is not answered", "没有回应 RECTSTART"),
    Phrase::new("OK, or ERROR when the size is not supported", "OK；不支持时回复 ERROR"),
    Phrase::new("print OK or ERROR", "输出 OK 或 ERROR"),
);
/// An unknown command is not answered.
pub static UNKNOWN_NOT_ANSWERED: Kind = kind(
    "unknown-not-answered",
    Note,
    Phrase::new("an unknown command is not answered with UNKNOWN", "收到未知命令时没有回复 UNKNOWN"),
    Phrase::new("UNKNOWN message", "UNKNOWN 及说明"),
    Phrase::new("print UNKNOWN for every command the brain does not know", "对不认识的命令输出 UNKNOWN"),
);
/// INFO is answered.
pub static INFO_ANSWERED: Kind = kind(
    "info-answered",
    Note,
    Phrase::new("INFO with an unknown key is answered", "对含未知键的 INFO 作了回应"),
    Phrase::new("silence: INFO is never answered", "不回应：INFO 不需要任何回复"),
    Phrase::new("ignore keys the brain does not know", "忽略不认识的键"),
);
/// It complains in the middle of a game.
pub static COMPLAINS: Kind = kind(
    "complains",
    Note,
    Phrase::new("the engine says that something is wrong", "引擎报告出错"),
    Phrase::new("neither ERROR nor UNKNOWN in an ordinary game", "正常对局中不应出现 ERROR 或 UNKNOWN"),
    Phrase::new("see which command it does not understand", "查看它不理解哪条命令"),
);
/// It needs a message to come in one piece.
pub static SPLIT_MESSAGE: Kind = kind(
    "split-message",
    Warning,
    Phrase::new("a message that arrives in two parts is misread", "消息分两次到达时被误读"),
    Phrase::new("a message ends at its newline, however it arrives", "以换行符而不是到达方式判断消息结束"),
    Phrase::new(
        "read whole lines (fgets, std::getline); one read() or ReadFile() is not one message",
        "按行读取（fgets、std::getline）；一次 read() 或 ReadFile() 不等于一条消息",
    ),
);
/// It loses messages that come together.
pub static JOINED_MESSAGES: Kind = kind(
    "joined-messages",
    Warning,
    Phrase::new("messages that arrive together are lost", "同时到达的多条消息有丢失"),
    Phrase::new("every line is a message, however many arrive at once", "每行都是一条消息，无论同时到达多少"),
    Phrase::new(
        "do not call fflush(stdin) and do not throw away what follows a newline; `boyi play --gap-ms 20` helps meanwhile",
        "不要调用 fflush(stdin)，不要丢弃换行符之后的内容；暂时可用 boyi play --gap-ms 20",
    ),
);
/// It says that it can be told openings, and does not play on from there.
pub static MISHEARS_OPENINGS: Kind = kind(
    "mishears-openings",
    Error,
    Phrase::new("the engine says +openings and goes wrong after an opening", "引擎声明了 +openings，但开局之后出错"),
    Phrase::new(
        "every message of the opening is taken note of and not answered; then it plays on from there",
        "记下开局的每条消息而不作回应，然后由此继续对局",
    ),
    Phrase::new(
        "see docs/openings.md for the messages and the starters in sdk/ for the few lines; or do not say +openings",
        "消息格式见 docs/openings.zh-CN.md，所需的几行代码见 sdk/ 中的起步引擎；否则不要声明 +openings",
    ),
);
/// It plays only with a pause between messages.
pub static NEEDS_GAP: Kind = kind(
    "needs-gap",
    Error,
    Phrase::new("the engine hangs when messages follow each other at once", "消息接连到达时引擎卡住"),
    Phrase::new("every line is a message, however soon the next one comes", "每行都是一条消息，与下一条间隔多短无关"),
    Phrase::new(
        "it plays with --gap-ms 20: your program calls fflush(stdin), or throws away in another way what it has not read yet (one \
         read() for one message, rewind(stdin), setvbuf between reads); remove that and read whole lines",
        "加 --gap-ms 20 就能对局：程序调用了 fflush(stdin)，或以其他方式丢掉了尚未读取的内容（把一次 read() 当作一条消息、\
         rewind(stdin)、读取之间调用 setvbuf）；请去掉这些调用，改为按行读取",
    ),
);
/// SWAP2BOARD is not known.
pub static SWAP2BOARD_UNKNOWN: Kind = kind(
    "swap2board-unknown",
    Error,
    Phrase::new("SWAP2BOARD is not known", "不支持 SWAP2BOARD"),
    Phrase::new(
        "three points, then SWAP, one point or two points, as the list of stones asks",
        "按所列棋子数回复三个点，或 SWAP、一个点、两个点",
    ),
    Phrase::new(
        "read lines X,Y until DONE: none: put three stones; three: SWAP, one stone or two; five: SWAP or one stone. A brain that wants \
         X,Y,COLOUR: --option swap2_colours=true",
        "逐行读取 X,Y 直到 DONE：没有棋子时下三子；三子时回复 SWAP、一子或两子；五子时回复 SWAP 或一子。\
         需要 X,Y,颜色 的引擎：--option swap2_colours=true",
    ),
);
/// It leaves with a code that says failure.
pub static EXIT_CODE: Kind = kind(
    "exit-code",
    Note,
    Phrase::new("the engine exits with a code that says failure", "引擎以非零退出码退出"),
    Phrase::new("exit code 0 after the farewell", "正常退出时退出码为 0"),
    Phrase::new("return 0 from main", "main 返回 0"),
);
/// The check was ended before it was done.
pub static CUT_SHORT: Kind = kind(
    "cut-short",
    Note,
    Phrase::new("the check was ended before it was done", "检查未做完就结束了"),
    Phrase::new("a check that comes to its end in the time it was given", "在给定时间内完成全部检查"),
    Phrase::new(
        "run `boyi check` on your own machine: there it takes as long as it needs, and may find more",
        "在自己的电脑上运行 boyi check：那里不限总时间，可能发现更多问题",
    ),
);

/// All of the above.
pub static ALL: &[&Kind] = &[
    &NOT_FOUND,
    &EXITS_AT_START,
    &SLOW_START,
    &NO_HANDSHAKE,
    &NO_NEWLINE,
    &NOT_FLUSHED,
    &NOISE,
    &NOT_UTF8,
    &BAD_MOVE,
    &OUT_OF_TURN,
    &TWO_ANSWERS,
    &TIME,
    &IGNORES_ERROR,
    &EXITS_ON_END,
    &IGNORES_QUIT,
    &IGNORES_EOF,
    &FLOODS_ON_EOF,
    &SECOND_GAME_FAILS,
    &CRASHES,
    &EXITS_IN_GAME,
    &FLOODS,
    &ABOUT_UNANSWERED,
    &RESTART_UNKNOWN,
    &TAKEBACK_UNKNOWN,
    &BOARD_UNSUPPORTED,
    &RECTSTART_UNANSWERED,
    &UNKNOWN_NOT_ANSWERED,
    &INFO_ANSWERED,
    &COMPLAINS,
    &SPLIT_MESSAGE,
    &JOINED_MESSAGES,
    &MISHEARS_OPENINGS,
    &NEEDS_GAP,
    &SWAP2BOARD_UNKNOWN,
    &EXIT_CODE,
    &CUT_SHORT,
];
