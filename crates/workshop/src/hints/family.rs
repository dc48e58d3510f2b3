//! Hints for C and C++: what the compilers of Windows take and this one does not, and what compiles and then loses games.

use std::collections::HashMap;

use super::code::{Code, is_word_letter};
use super::{Hint, Note};
use crate::source::{Encoding, Source};

/// Signs of the Chinese input method that look like those of a program.
pub(super) const FULL_WIDTH_SIGNS: [char; 17] =
    ['；', '，', '（', '）', '“', '”', '‘', '’', '：', '！', '？', '【', '】', '｛', '｝', '＝', '\u{3000}'];

/// Headers, and what to do without them.
const HEADERS: &[(&[&str], Hint)] = &[
    (
        &["windows.h", "windef.h", "winbase.h", "winuser.h", "mmsystem.h", "winsock.h", "winsock2.h", "ws2tcpip.h"],
        Hint::new(
            "windows-header",
            "this header exists only on Windows. Remove it; for Sleep(ms) write usleep(ms * 1000) with <unistd.h>, for GetTickCount() use clock() or <chrono>, for DWORD and BOOL use unsigned int and int; threads are <pthread.h> or <thread>",
            "此头文件只有 Windows 有，请删去；Sleep(毫秒) 改为 usleep(毫秒 * 1000)（<unistd.h>），GetTickCount() 改用 clock() 或 <chrono>，DWORD、BOOL 改用 unsigned int、int，线程用 <pthread.h> 或 <thread>",
        ),
    ),
    (
        &["conio.h"],
        Hint::new(
            "conio-header",
            "<conio.h> exists only on Windows. Remove it and getch(), kbhit(), clrscr(): an engine reads lines with fgets or std::getline and has no screen",
            "<conio.h> 只有 Windows 有，请删去，连同 getch()、kbhit()、clrscr()：引擎用 fgets 或 std::getline 按行读取，没有屏幕可言",
        ),
    ),
    (
        &["stdafx.h", "pch.h", "framework.h", "targetver.h"],
        Hint::new(
            "precompiled-header",
            "this is the precompiled header of Visual Studio. Remove the line; include what the program itself needs",
            "这是 Visual Studio 的预编译头，请删去此行，只包含程序本身需要的头文件",
        ),
    ),
    (
        &["tchar.h", "atlstr.h", "afx.h", "afxwin.h", "atlbase.h", "comdef.h", "crtdbg.h", "intrin.h", "corecrt.h"],
        Hint::new(
            "visual-c-header",
            "this header belongs to Visual C++. Remove it: char and std::string instead of TCHAR and CString, int main instead of _tmain, <x86intrin.h> instead of <intrin.h>",
            "此头文件属于 Visual C++，请删去：用 char、std::string 代替 TCHAR、CString，用 int main 代替 _tmain，用 <x86intrin.h> 代替 <intrin.h>",
        ),
    ),
    (
        &["process.h", "direct.h", "io.h", "dos.h", "bios.h", "share.h"],
        Hint::new(
            "dos-header",
            "this header exists only on Windows and DOS. Remove it; what an engine needs of it is in <unistd.h>",
            "此头文件只有 Windows/DOS 有，请删去；引擎需要的功能在 <unistd.h> 中",
        ),
    ),
    (
        &["graphics.h", "easyx.h", "egg.h"],
        Hint::new(
            "graphics-header",
            "graphics libraries are not here: an engine reads commands and writes moves, the board is drawn by the referee",
            "这里没有图形库：引擎只读入命令、输出着法，棋盘由裁判程序绘制",
        ),
    ),
    (
        &["iostream.h", "fstream.h", "iomanip.h", "strstream.h"],
        Hint::new(
            "old-header",
            "headers of C++ have no .h since 1998: #include <iostream>, and using namespace std; or std:: before the names",
            "C++ 标准头文件不带 .h：写 #include <iostream>，并加 using namespace std; 或在名字前写 std::",
        ),
    ),
];

/// Names, and what to write instead.
const NAMES: &[(&[&str], Hint)] = &[
    (
        &["scanf_s", "sscanf_s", "fscanf_s", "wscanf_s"],
        Hint::new(
            "scanf-s",
            "scanf_s exists only in Visual C++. Write scanf, and leave out the size that scanf_s wants after each %s and %c: scanf(\"%19s\", name)",
            "scanf_s 只有 Visual C++ 有：改用 scanf，并去掉 %s、%c 之后的长度参数，如 scanf(\"%19s\", name)",
        ),
    ),
    (
        &[
            "printf_s",
            "sprintf_s",
            "fprintf_s",
            "strcpy_s",
            "strncpy_s",
            "strcat_s",
            "strncat_s",
            "strtok_s",
            "gets_s",
            "fopen_s",
            "freopen_s",
            "memcpy_s",
            "memmove_s",
            "_itoa_s",
            "_strupr_s",
            "_strlwr_s",
            "localtime_s",
            "rand_s",
            "vsprintf_s",
        ],
        Hint::new(
            "safe-functions",
            "functions that end in _s exist only in Visual C++. Write printf, snprintf, strcpy or strncpy, strcat, strtok_r, fgets, fopen",
            "以 _s 结尾的函数只有 Visual C++ 有：改用 printf、snprintf、strcpy 或 strncpy、strcat、strtok_r、fgets、fopen",
        ),
    ),
    (
        &[
            "getch",
            "_getch",
            "getche",
            "_getche",
            "kbhit",
            "_kbhit",
            "clrscr",
            "gotoxy",
            "textcolor",
            "putch",
            "_putch",
        ],
        Hint::new(
            "console-functions",
            "getch, kbhit, clrscr and their like need a Windows console. Remove them: an engine reads lines (fgets, std::getline) and never waits for a key",
            "getch、kbhit、clrscr 等需要 Windows 控制台，请删去：引擎按行读取（fgets、std::getline），不等待按键",
        ),
    ),
    (
        &["Sleep", "_sleep"],
        Hint::new(
            "sleep",
            "Sleep(ms) is of Windows. Write usleep(ms * 1000) with <unistd.h>, or std::this_thread::sleep_for(std::chrono::milliseconds(ms)); better still, do not wait at all: it is your own clock",
            "Sleep(毫秒) 只有 Windows 有：改为 usleep(毫秒 * 1000)（<unistd.h>）或 std::this_thread::sleep_for(std::chrono::milliseconds(毫秒))；最好根本不等待，等待消耗的是自己的时间",
        ),
    ),
    (
        &[
            "GetTickCount",
            "GetTickCount64",
            "QueryPerformanceCounter",
            "QueryPerformanceFrequency",
            "timeGetTime",
            "LARGE_INTEGER",
        ],
        Hint::new(
            "windows-clock",
            "this is a clock of Windows. Write std::chrono::steady_clock::now(), or clock_gettime(CLOCK_MONOTONIC, …) in C",
            "这是 Windows 的计时函数：C++ 用 std::chrono::steady_clock::now()，C 用 clock_gettime(CLOCK_MONOTONIC, …)",
        ),
    ),
    (
        &["__int64", "_int64", "__int32", "__int16", "__int8"],
        Hint::new(
            "int64",
            "__int64 exists only in Visual C++. Write long long, or int64_t with <stdint.h>",
            "__int64 只有 Visual C++ 有：改用 long long，或 <stdint.h> 中的 int64_t",
        ),
    ),
    (
        &[
            "DWORD",
            "BOOL",
            "HANDLE",
            "LPCSTR",
            "LPSTR",
            "UINT",
            "TCHAR",
            "_TCHAR",
            "_tmain",
            "WINAPI",
            "__declspec",
            "__stdcall",
            "__cdecl",
            "__forceinline",
            "CreateThread",
            "WaitForSingleObject",
            "CRITICAL_SECTION",
            "SetConsoleTextAttribute",
            "GetStdHandle",
            "SetConsoleTitle",
            "SetConsoleCursorPosition",
            "system_clock_t",
        ],
        Hint::new(
            "windows-names",
            "this name is of Windows or Visual C++. unsigned int for DWORD and UINT, int for BOOL, int main for _tmain, inline for __forceinline, std::thread for CreateThread; colours and cursors have no place in an engine",
            "这是 Windows 或 Visual C++ 特有的名字：DWORD、UINT 改为 unsigned int，BOOL 改为 int，_tmain 改为 int main，__forceinline 改为 inline，CreateThread 改为 std::thread；颜色和光标对引擎没有意义",
        ),
    ),
    (
        &[
            "itoa",
            "_itoa",
            "ltoa",
            "_ltoa",
            "ultoa",
            "strrev",
            "_strrev",
            "strlwr",
            "_strlwr",
            "strupr",
            "_strupr",
            "stricmp",
            "_stricmp",
            "strcmpi",
            "strnicmp",
            "_strnicmp",
        ],
        Hint::new(
            "not-standard-strings",
            "itoa, strrev, strlwr, stricmp and their like are not standard. snprintf(s, sizeof s, \"%d\", n) for itoa, strcasecmp with <strings.h> for stricmp, tolower for each letter for strlwr",
            "itoa、strrev、strlwr、stricmp 等不是标准函数：itoa 改为 snprintf(s, sizeof s, \"%d\", n)，stricmp 改为 <strings.h> 中的 strcasecmp，strlwr 改为逐个 tolower",
        ),
    ),
    (
        &["randomize", "random_shuffle"],
        Hint::new(
            "old-random",
            "write srand(time(NULL)) for randomize() and std::shuffle for random_shuffle, which C++17 no longer has",
            "randomize() 改为 srand(time(NULL))；random_shuffle 在 C++17 中已删除，改用 std::shuffle",
        ),
    ),
    (
        &["gets"],
        Hint::new(
            "gets",
            "gets was taken out of C and C++ because no line is safe with it. Write fgets(line, sizeof line, stdin); it keeps the line end, so cut that off",
            "gets 因无法保证安全已从 C/C++ 中删除：改为 fgets(line, sizeof line, stdin)，注意它会保留行尾换行符",
        ),
    ),
];

const FLUSH_STDIN: Hint = Hint::new(
    "fflush-stdin",
    "fflush(stdin) means nothing in C: it does nothing here, and on Windows it throws away commands that have already arrived. Remove it; to skip the rest of a line, read it: int c; while ((c = getchar()) != '\\n' && c != EOF) {}",
    "fflush(stdin) 在 C 标准中没有定义：在这里不起作用，在 Windows 上会丢掉已经到达的命令。请删去；要跳过一行的剩余部分，就把它读掉：int c; while ((c = getchar()) != '\\n' && c != EOF) {}",
);
const SYSTEM: Hint = Hint::new(
    "system-command",
    "system(\"pause\"), system(\"cls\") and their like start a program that is not here; nobody presses a key. Remove them",
    "system(\"pause\")、system(\"cls\") 等会启动这里没有的程序，也没有人来按键，请删去",
);
const VOID_MAIN: Hint = Hint::new(
    "void-main",
    "write int main(): void main is not C++, and in C the exit code is then anything",
    "请写 int main()：void main 不是合法的 C++，在 C 中会使退出码不确定",
);
const PRAGMA_LIB: Hint = Hint::new(
    "pragma-comment",
    "#pragma comment(lib, …) is of Visual C++ and is ignored here; the libraries of Windows are not here",
    "#pragma comment(lib, …) 只对 Visual C++ 有效，这里会忽略；Windows 的库在这里不存在",
);
const I64_FORMAT: Hint = Hint::new(
    "i64-format",
    "%I64d is of old Windows libraries and prints nonsense here. Write %lld (%llu without sign)",
    "%I64d 是旧 Windows 库的写法，在这里会输出错误内容：改用 %lld（无符号用 %llu）",
);
const BACKSLASH: Hint = Hint::new(
    "backslash-include",
    "paths in #include are written with / everywhere; and only this one file is compiled, so your own headers must be in it",
    "#include 中的路径一律用 /；而且只编译这一个文件，自己的头文件内容需要写进来",
);
const OWN_HEADER: Hint = Hint::new(
    "own-header",
    "only this one file is compiled: put the contents of your own headers and of the other source files into it",
    "只编译这一个文件：请把自己的头文件和其他源文件的内容合并进来",
);
const FULL_WIDTH: Hint = Hint::new(
    "full-width-sign",
    "a full-width (Chinese) punctuation mark stands in the code: switch the input method and write ; , ( ) \" instead of ；，（）“”",
    "代码中出现了全角（中文）标点：请切换输入法，用 ; , ( ) \" 代替 ；，（）“”",
);
const NOT_FLUSHED: Hint = Hint::new(
    "not-flushed",
    "nothing here flushes the output, so answers may stay in the program's buffer until its time is over. Call fflush(stdout) after each answer, or once at the start setvbuf(stdout, NULL, _IONBF, 0); in C++ end answers with std::endl",
    "程序没有刷新输出，回应可能一直留在缓冲区里直到超时：每次回应后调用 fflush(stdout)，或在程序开头调用一次 setvbuf(stdout, NULL, _IONBF, 0)；C++ 用 std::endl 结束回应",
);
const FREOPEN: Hint = Hint::new(
    "freopen",
    "freopen puts a file in the place of stdin or stdout: the referee's commands are then not read, or its answers not sent. Remove it",
    "freopen 会用文件代替标准输入或输出，这样就读不到裁判的命令，或发不出回应，请删去",
);
const CPP_IN_C: Hint = Hint::new(
    "cpp-in-c",
    "this is C++, but it is compiled as C: name the file .cpp or choose --language c++17",
    "这是 C++ 代码，却按 C 编译：请把文件命名为 .cpp，或用 --language c++17",
);
const LONGER_LITERALS: Hint = Hint::new(
    "longer-literals",
    "the source was saved as GB18030 and is compiled as UTF-8, in which a Chinese character takes 3 bytes instead of 2: make the array longer, or write char s[] = \"…\"",
    "源文件以 GB18030 保存，编译时转为 UTF-8，每个汉字占 3 字节而不是 2 字节：请加大数组，或写成 char s[] = \"…\"",
);

/// Headers that only C++ has.
const CPP_HEADERS: [&str; 12] = [
    "iostream",
    "vector",
    "string",
    "algorithm",
    "map",
    "set",
    "queue",
    "cstdio",
    "cstring",
    "cstdlib",
    "bits/stdc++.h",
    "cmath",
];

/// What writes through a buffer that nothing flushes by itself.
const WRITERS: [&str; 4] = ["printf", "puts", "putchar", "fputs"];
/// What flushes, or does away with the buffer.
const FLUSHERS: [&str; 7] = ["setbuf", "setvbuf", "setlinebuf", "endl", "flush", "unitbuf", "write"];
/// The streams of C++, and what unties them.
const STREAMS: [&str; 3] = ["cin", "cout", "tie"];

/// Where names first stand.
type Places = HashMap<&'static str, usize>;

pub(super) fn explain(source: &Source, messages: &str, compiles: bool, cpp: bool) -> Vec<Note> {
    let code = Code::of(&source.text);
    let names = NAMES.iter().flat_map(|(names, _)| names.iter()).chain(&WRITERS).chain(&FLUSHERS).chain(&STREAMS);
    let places = code.first_places(names.copied());
    let mut notes = if compiles { Vec::new() } else { complaints(&code, &places, source, messages, cpp) };
    notes.extend(always(&code, &places));
    notes
}

/// What stands in the way of compiling.
fn complaints(code: &Code, places: &Places, source: &Source, messages: &str, cpp: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    // The compiler stops at the first header that is not there: then nothing is known about the rest.
    let stopped = messages.contains("No such file or directory");
    for (names, hint) in HEADERS {
        let mut found = code.includes.iter().filter(|(_, name)| names.contains(&name.to_lowercase().as_str()));
        notes.extend(found.next().filter(|_| stopped).map(|(line, _)| hint.at(*line)));
    }
    let from_windows = !notes.is_empty();
    for (names, hint) in NAMES {
        let told = |name: &&&str| from_windows || is_named(messages, name);
        let lines =
            names.iter().filter(|name| places.contains_key(**name)).filter(told).map(|name| code.line(places[name]));
        notes.extend(lines.min().map(|line| hint.at(line)));
    }
    let missing = missing_header(messages);
    let mut backslashes = code.includes.iter().filter(|(_, name)| name.contains('\\'));
    if let Some((line, _)) = backslashes.next() {
        notes.push(BACKSLASH.at(*line));
    } else if let Some((line, name)) = code.includes.iter().find(|(_, name)| missing == Some(name)) {
        let known = HEADERS.iter().any(|(names, _)| names.contains(&name.to_lowercase().as_str()));
        if !cpp && CPP_HEADERS.contains(&name.as_str()) {
            notes.push(CPP_IN_C.at(*line));
        } else if !known {
            notes.push(OWN_HEADER.at(*line));
        }
    }
    notes.extend(code.bare.find(FULL_WIDTH_SIGNS).map(|place| FULL_WIDTH.at(code.line(place))));
    if source.encoding == Encoding::Gb18030 && messages.contains("initializer-string for") {
        notes.push(LONGER_LITERALS.at(None));
    }
    notes
}

/// What compiles, perhaps with a warning, and then loses games.
fn always(code: &Code, places: &Places) -> Vec<Note> {
    let mut notes = Vec::new();
    // The place right after `name(`, wherever that stands.
    let calls = |name: &'static str| {
        code.places_of(name).filter_map(move |place| {
            let inside = code.after(place + name.len()).strip_prefix('(')?.trim_start();
            Some(code.bare.len() - inside.len())
        })
    };
    let flush = calls("fflush").find(|&place| code.after(place).starts_with("stdin"));
    notes.extend(flush.map(|place| FLUSH_STDIN.at(code.line(place))));
    let commands = ["pause", "cls", "color", "title", "mode", "chcp", "clear"];
    let typed = |text: &str| commands.iter().any(|command| text.trim().to_lowercase().starts_with(command));
    let system = calls("system").find(|&place| code.string_at(place).is_some_and(typed));
    notes.extend(system.map(|place| SYSTEM.at(code.line(place))));
    let void_main = code.places_of("main").find(|&place| {
        let before = code.bare[..place].trim_end();
        before.ends_with("void") && !before[..before.len() - 4].ends_with(is_word_letter)
    });
    notes.extend(void_main.map(|place| VOID_MAIN.at(code.line(place))));
    let pragma = code.places_of("pragma").find(|place| {
        let rest = code.after(place + "pragma".len());
        rest.strip_prefix("comment").is_some_and(|rest| rest.trim_start().starts_with('('))
    });
    notes.extend(pragma.map(|place| PRAGMA_LIB.at(code.line(place))));
    let formats = ["%I64d", "%I64u", "%I64x", "%I64i"];
    let format = code.strings.iter().find(|(_, text)| formats.iter().any(|format| text.contains(format)));
    notes.extend(format.map(|(place, _)| I64_FORMAT.at(code.line(*place))));
    notes.extend(calls("freopen").next().map(|place| FREOPEN.at(code.line(place))));
    notes.extend(not_flushed(code, places));
    notes
}

/// Whether something is written and nothing ever flushes it.
fn not_flushed(code: &Code, places: &Places) -> Option<Note> {
    let has = |name: &str| places.contains_key(name);
    let plain = WRITERS.into_iter().any(has);
    // Reading from `cin` flushes `cout`, unless they were untied; nothing that is read flushes what `printf` writes.
    let untied = has("cout") && (!has("cin") || has("tie"));
    let asked_for =
        |place: usize| !code.after(place + "fflush".len()).trim_start_matches(['(', ' ']).starts_with("stdin");
    let flushes = FLUSHERS.into_iter().any(has) || code.places_of("fflush").any(asked_for);
    ((plain || untied) && !flushes).then(|| NOT_FLUSHED.at(None))
}

/// Whether the compiler or the linker speaks of this name.
fn is_named(messages: &str, name: &str) -> bool {
    let quoted = |place: usize| {
        let before = messages[..place].chars().next_back();
        let after = messages[place + name.len()..].chars().next();
        matches!(before, Some('‘' | '`' | '\'')) && !after.is_some_and(is_word_letter)
    };
    messages.match_indices(name).any(|(place, _)| quoted(place))
}

/// The header that the compiler did not find.
fn missing_header(messages: &str) -> Option<&str> {
    let line = messages.lines().find_map(|line| line.strip_suffix(": No such file or directory"))?;
    line.split_once("fatal error: ").map(|(_, name)| name)
}
